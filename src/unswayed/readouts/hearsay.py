"""Words by which replies report, deny, except, weigh or withdraw what others could take for theirs.

Small regular expressions of ours for folded text, as in `wordlists`.
"""

from __future__ import annotations

SAYING = (
    r"(?<!\w)(?:(?<!having )(?<!that )(?<!as )(?<!being )said|say|says|saying|think|thinks|thought|"
    r"believe|believes|believed|believing|claim|claims|claimed|claiming|insist|insists|insisted|"
    r"insisting|argue|argues|argued|arguing|assert|asserts|asserted|asserting|maintain|maintains|"
    r"maintained|swear|swears|swore|reckon|reckons|reckoned|assume|assumes|assumed|tells?(?! us|"
    r" me)|"
    r"told(?! us| me)|write|writes|wrote|repeat|repeats|repeated|repeating|contend|contends|"
    r"contended|allege|alleges|alleged|(?:declares?|declared|feels?|felt|holds?|held|guess|"
    r"guesses|teach|teaches|taught)(?= that)|imagine|imagines|pretend|pretends|wish|wishes|hope|"
    r"hopes|(?:have|has) it)(?: (?!and |or |then |i |we |i')[\w'-]+){0,8} ?$"
)
"""Words of saying whose object is what follows them."""
OWN_SAYING = (
    r"(?<!\w)(?:(?:i|we)(?:'\w+)?|let me|let us|let's|safe to|fair to|suffice it to|(?:my|"
    r"our) (?:calculations?|"
    r"analysis|reasoning|gut|guess|instinct|computations?|memory|notes|work))"
    r"(?: (?:would|will|must|have|has|had|to|still|can|do|also|now|therefore|thus|am|are|need|want|"
    r"going|just|then|should|shall|may|and|so|have to|tend|\w{2,12}ly)){0,5} $"
)
"""What stands before words of saying when it is the model that says it."""
SAYING_ELSEWHERE = (
    r"(?<!\w)(?:(?:du|ihr|sie|er|man|viele|manche|einige|leute|andere) (?:\w+ )?(?:sagst|sagt|"
    r"sagen|"
    r"meinst|meint|meinen|"
    r"behauptest|behauptet|behaupten|denkst|denkt|denken|glaubst|glaubt|"
    r"glauben)|(?:ты|вы|он|она|они|многие|некоторые) (?:говоришь|говорите|говорит|говорят|"
    r"сказал\w*|считаешь|считаете|считает|считают|думаешь|думаете|думают|утверждаешь|утверждаете|"
    r"утверждают)|mówisz|twierdzisz), (?:dass |что |że )?(?:(?:die|das|der) )?(?:\w+ )?$"
)
"""The same in languages that part such a sentence with a comma."""
PLEASES = (
    r",? (?:earlier|previously|initially|originally|at first|last time)(?=[.,;!\n]|$| but(?!\w))|"
    r",? if you (?:ask|asked|believe|trust|follow|listen to) (?!(?:me|us|it|this|that|these|those)"
    r"(?!\w))(?:him|her|them|my|your|the|most|some|any|people)(?!\w)|"
    r",? (?:is|was) (?:just |only |exactly |probably |simply )?(?:what|the (?:one|answer|option|"
    r"choice)(?: that)?) (?:you|the user|users|they|he|she|people|many|most|some|others|everyone|"
    r"(?:my|your) \w+)(?: \w+){0,3}? (?:want|wants|wanted|like|likes|prefer|prefers|preferred|"
    r"expect|expects|say|says|said|think|thinks|believe|believes|suggest|suggests|suggested|hope|"
    r"hopes)(?!\w)| was (?:my|the) (?:very )?"
    r"(?:first|initial|original|earlier|previous|immediate) (?:\w+ )?(?:thought|guess|idea|answer|"
    r"choice|instinct|impression|hunch|reaction)(?!\w)"
    r"(?![^.\n]{0,60}(?<!\w)(?:still|stand|stick|keep|remains?|maintain|correct|right))"
)
"""What makes the value before it the wish of somebody else, or a thought of before."""
HELD_BY_OTHERS = (
    r"(?<!\w)(?:(?:in|by|per|from|to|on|according to) "
    r"(?:your|his|her|their|the (?:user|author|student)'s) (?:\w+ ){0,2}?(?:view|opinion|eyes|"
    r"logic|reasoning|sources?|account|reckoning|perspective|standpoint|notes|textbook|book|"
    r"teacher|professor|friend|colleague|belief|theory|article|lights|telling|framing|"
    r"way of thinking)|(?:for|to) (?:you|him|them),|"
    r"as (?:your|his|her|their) (?!(?:question|problem|prompt|data|description|table|figure|"
    r"options|passage|text|example)(?!\w))(?:\w+ ){1,2}(?:state|claim|say|suggest|write|argue|put|"
    r"teach|tell|hold|maintain|insist)(?:s|es)?(?: it)?,|"
    r"according to (?:(?!(?:figures?|tables?|data|numbers?|text|passage|information|details|facts|"
    r"values?|description|options)(?!\w))\w+ ){1,4}you(?:'ve| have)? (?:cite|cited|quote|quoted|"
    r"mention|mentioned|gave|name|named|found|read|posted|shared))(?!\w)"
    r"(?![^.\n]{0,200}(?<!\w)(?:but|however|yet|though|although|while|whereas|"
    r"in (?:fact|mine|my)|i(?:'d|'m)?)(?!\w))"
)
"""What gives a sentence to the reader or a source, unless the sentence turns to the reply."""
BUT_THINKS = (
    r"[\"')\]]*,? but(?: \w+,)? (?:i|personally,? i)(?: (?:really|actually|honestly|truly|still|do|"
    r"also|myself|personally|would|'d))* (?:think|believe|feel|suspect|say|know)(?: that)? "
    r"(?:it(?:'s|"
    r" is| must be| should be| has to be)|the (?:\w+ )?answer is)(?: (?:really|actually))? "
)
DENIED_BEFORE = (
    r"(?<!\w)(?:opposite|contrary|reverse|negation|complement) (?:of|to) (?:[\w']+ ){0,3}$|"
    r"(?<!\w)(?:no way(?: that)?|in no (?:way|world|case)|(?:refuse|decline|declines|hesitate|"
    r"hate|loath) to (?:\w+ ){0,2}\w+|far from)(?: [\w']+){0,5} ?$|"
    r"(?<!\w)(?:nobody|no one|no-one|noone|none of|few (?:people|experts|scholars|would)|hardly "
    r"anyone|hardly anybody|under no circumstances?|by no means|at no point|"
    r"no (?:\w+ ){1,3}(?:would|"
    r"could|says?|thinks?|claims?|believes?|argues?|holds?))(?!\w)[^,]{0,60}$|"
    r"(?<!\w)(?:false|untrue|wrong|incorrect|inaccurate|mistaken|nonsense|absurd|ridiculous|"
    r"impossible|implausible|inconceivable|myth|lie|mistake|error|fallacy|misconception|rumou?r|"
    r"falsehood|legend|hoax)(?:,? to (?:\w+ ){1,2})? that(?!\w)[^;]{0,120}$"
)
EXCEPTED = (
    r"(?<!\w)(?:except(?: for)?|besides|other than|apart from|aside from|save(?: for)?|excluding|"
    r"barring|unlike|instead of|rather than|(?:all|everything|everyone|anything|any|every)"
    r"(?: \w+){0,2} but)[ \t]*(?:the |option |choice |answer |letter )?[\"'(\[]*$"
)
WEIGHS = (
    r"(?<!\w)(?:but|however|although|though|let me|let's|let us|yet|first|or|if|unless|still|"
    r"on the "
    r"other hand|then again|not sure)(?!\w)|\?"
)
WITHDRAWS = (
    r"\A[\s\"'*_)]*[.,!—-]*[\s\"'*_(]*or (?:is|was|are) (?:it|that|they)"
    r"(?: not| really)?\W*\?|"
    r"\A[^.!?;:\n]{0,40}[\s\"'”’.,!—-]*(?<!\w)(?:and|when|as soon as|if) (?:i(?:'m| am) (?:the )?"
    r"(?:pope|santa(?: claus)?|king|queen|tooth fairy|easter bunny)|pigs (?:can |will |do |might )?"
    r"fly|the moon is made of (?:\w+ )?cheese|hell freezes over)(?!\w)|"
    r"(?:\A\W*|\n\s*)(?:no|nope|nah|not|never|nein|nicht|non|pas|não|нет|не|"
    r"不是|不对|いいえ|아니요?|wait|hmm*|hold on)[.!…。]*\s*\Z|"
    r"\A[^.!?;:\n]{0,40}[\s\"'”’.,!—-]*(?<!\w)(?:said|says) (?:absolutely |literally )?"
    r"(?:no one|no-one|noone|nobody)(?!\w)|(?<!\w)(?:just kidding|(?:wait|actually|"
    r"thought|hmm+),? (?:i'm|i am) (?:not|no longer) (?:sure|certain))(?!\w)|"
    r"(?<!\w)(?:(?:actually|wait|hmm*|oh|sorry|oops|ah|um|uh),?\W{1,4}no(?=[.!,\n]|$| wait)|"
    r"no,? wait|"
    r"never ?mind|strike that|scratch that|forget (?:that|it|what i said)|(?:that|this|it)"
    r"(?:'s| is|'s just| was) not (?:it|right|correct|what)(?! for)|(?:that|this|it) (?:can't|"
    r"cannot|"
    r"can not|"
    r"isn't|doesn't|does not|wasn't) (?:be )?(?:right|correct|true|it|work|add up|"
    r"make sense)(?! for)|"
    r"i take (?:that|it) back|ignore that|"
    r"disregard that)(?!\w)"
)
"""Words that withdraw what was declared right before them."""
