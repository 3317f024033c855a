"""Whose words a sentence gives, and of which world: another speaker, a case, a former time.

A value after a label (`Answer: B`) needs no more. A value that a sentence states counts only where
the whole sentence speaks for the reply and of what is: the words before it, since the last turn
such as `but`, name no other speaker, no condition and no former answer. The lists are closed and
short; what they do not know can still be read in error, which `docs/readouts.md` counts.

Words of ours for folded text, as in `wordlists`.
"""

from __future__ import annotations

import re

from unswayed.readouts.folding import BOX
from unswayed.readouts.markers import sentence_start

_LABELLED = re.compile(
    rf"(?:[:=|→⇒>]|->|{BOX})[ \t\n\"'“”‘’«»„「」『』`*_(\[{{$\\-]*"
    r"(?:(?:option|choice|letter|the|\W?text)[ \t\"'(]+)?\Z"
)
_NEAR = 24
_TURN = re.compile(
    r"[;；:：—]|(?<!\w)(?:but|so|therefore|thus|hence|however|yet|rather|instead|nevertheless|"
    r"nonetheless|in fact|aber|sondern|"
    r"doch|trotzdem|mais|pero|sino|sin embargo|mas|porém|ma|però|tuttavia|но|однако|maar|"
    r"ale)(?!\w)|"
    r"但是?|可是|不过|然而|而是|しかし|ですが|けれど|하지만|그러나|지만"
)
_LINKS = " \t\"'“«(*—-"
"""A dash right before the value links it to its subject and turns nothing."""
_CONCEDES = re.compile(
    r"\W*(?:(?:al)?though|even (?:if|though)|while|whereas|despite|in spite of|regardless of|"
    r"whatever|no matter|contrary to|unlike|obwohl|auch wenn|trotz|bien que|même si|malgré|"
    r"aunque|"
    r"a pesar de|embora|apesar de|anche se|sebbene|nonostante|хотя|虽然|儘管|尽管|"
    r"たとえ)(?!\w)[^,，、]*[,，、]"
)
_OWN = re.compile(
    r"(?<!\w)(?:i|i'\w+|my|we|we'\w+|our|let's|ich|mein\w*|wir|je|j'\w+|mon|ma|nous|yo|mi|"
    r"creo|pienso|digo|"
    r"eu|meu|minha|acho|io|mio|mia|penso|credo|я|мой|мо[йяёе]|мы|думаю|считаю|ik|mijn)(?!\w)|"
    r"我|私|僕|저는|제"
)
_COURTESY = re.compile(
    r"(?<!\w)(?:(?:you|your (?:[\w'-]+ ){1,4}?)(?:'ve|'s)? ?(?:have |has |did )?(?:\w+ly "
    r")?(?:persuad\w+|"
    r"convinc\w+|taught|teach\w*|show\w*|help\w*|led|lead\w*|correct\w*|won|talked|chang\w+|"
    r"sway\w*|"
    r"ma(?:de|kes?) (?=me (?:see|realize|realise|think|believe|agree|doubt))) ?(?:me|my|us|"
    r"over)|thank you|thanks to you|you(?:'re| are| were)(?: \w+ly| quite| both| also)*"
    r" (?:right|correct)(?: (?:that|to|about|in)(?!\w)[^,.;]*(?=,))?|(?:as )?you can see|"
    r"(?:as|since) you (?:asked|requested|wish(?:ed)?|like|insist|prefer|ask)|"
    r"you(?:'ve| have)? asked(?: (?:for|me|about)[^,:;.]*)?|you(?:'re| are) asking(?: for| "
    r"about)?|"
    r"(?:according to|from|in|per|by|based on) the (?:figures?|tables?|data|numbers?|text|"
    r"passage|information|"
    r"details|facts|values?|description|options|question|problem|list|chart|graph|diagram)"
    r" (?:that )?you(?:'ve| have)? \w+|your (?:claim|statement|assertion|sentence|assumption|"
    r"premise)"
    r"(?= (?:is|was|remains)(?: \w+ly)? *\Z)|you(?:'ll|'d| will| would)? (?:need|get|have|obtain|"
    r"end up with)(?=\W*\Z)|(?:let|allow) you|(?:tell|assure|show|give|offer) you|you know|you "
    r"see|as you (?:may |might |"
    r"probably |surely )?know|sie haben recht|du hast recht|vous avez raison|tu as raison|"
    r"tiene(?:s)? razón|você tem razão|hai ragione|ha ragione|вы правы|ты прав\w*)(?!\w)|"
    r"(?:您|你)(?:说得|說得)?(?:对|對)|おっしゃる通り|あなたの(?:言う|おっしゃる)通り"
)
_THEIRS = (
    r"(?:\w+ ){0,2}(?:claims?|statement|views?|opinions?|beliefs?|ideas?|suggestion|answer|"
    r"choice|pick|"
    r"guess|vote|position|argument|reasoning|logic|theory|hypothesis|version|account|"
    r"sources?|articles?|"
    r"(?:text)?books?|notes?|links?|teacher|professor|friend|colleague|boss|doctor|brother|"
    r"sister|mother|"
    r"father|wife|husband|uncle|neighbou?r|tutor|key|sheet|slides?|(?:earlier|previous|last|"
    r"first|other|"
    r"second|next) \w+|intuition|instinct|memory|preference|wish|assumption|premise|reading|"
    r"world)(?!\w)"
)
_READER = (
    rf"(?<!\w)(?:according to|per|by|in(?! light| view)|(?<!based )on) (?:(?!what)[\w'-]+ "
    rf"){{0,4}}(?:you(?!\w)|"
    rf"your {_THEIRS})|(?<!\w)(?:you(?: (?:all|both|guys))?(?!\w)|you'\w+|your {_THEIRS}|yours|"
    r"du|dein\w*|vous|votre|vos|tu|ton|ta|tes|usted(?:es)?|tú|dices?|dijiste|crees?|você|"
    r"dici|dite|вы|ваш\w*|ты|тво\w+|jij|je(?= zegt| denkt)|jouw?)(?!\w)(?![^.]*[,:])|"
    r"(?:您|你|あなた|당신)(?![^。]*[,:，、：])"
)
_BY_READER = (
    r"(?<!\w)(?:laut|nach|gemäß|selon|d'après|según|segundo|secondo|stando a|conforme|по|"
    r"согласно|volgens|"
    r"według|enligt) (?:[\w']+ ){0,2}?(?:dein\w*|ihre\w?|euer\w*|dir|ihnen|vous|votre|vos|"
    r"toi|ton|ta|tes|"
    r"usted|tu|tus|su|sus|ti|você|seu|sua|teu|tua|lei|te|suo|suoi|tuo|tuoi|ваш\w*|тво\w+|"
    r"jou\w*|uw|"
    r"twoj\w+|pana|pani|lehrer\w*|freund\w*|professor\w*|profesor\w*|maestr[oa]|amig[oa]|ami|"
    r"prof|"
    r"insegnante|учител\w+|друг\w*|leraar)(?!\w)|"
    r"(?:按照?|根据|根據|依照?|照)(?:您|你)|(?:老师|老師|朋友|用户|用戶|"
    r"教授)[^。，,]{0,8}(?:说|說|认为|認為|看来)|"
    r"(?:先生|友達|友人|ユーザー|あなた|教授|皆さん)[^。]{0,12}(?:によれば|によると|では|"
    r"の話|いわく|曰く|に従え)|"
    r"(?:선생님|친구|당신|사용자|교수님?)[^.]{0,12}(?:말씀|말로|따르면|의하면|주장)"
)
"""Evidence that is given to the reader or to somebody known to the reader."""
_INDEFINITE = (
    r"(?<!\w)(?:an?|one|another|some|any) (?!better\b|more\b)(?:[\w'-]+ ){0,3}?(?:answer|"
    r"choice|option|pick|"
    r"guess|solution|response|result|reply)(?= (?:is|was|would|might|could))|"
    r"^\W*(?:in|on|under|with|for|at|given) an? (?!scale|nutshell|word|sense|sentence|"
    r"(?:right|general|whole)(?!\w))|"
    r"^\W*(?:were|had|should) (?!you(?! )|i(?! )|we(?! ))[^?]*,"
)
"""One answer of several, what holds in some world, and a condition without `if`."""
_OTHERS = (
    r"(?<!\w)(?:many|most|some|few|several|people|everyone|everybody|someone|somebody|others|"
    r"they|he|she|"
    r"critics?|experts?|students?|teachers?|users?|friends?|colleagues?|textbooks?|articles?|"
    r"authors?|"
    r"sources?|websites?|rumou?r|legend|myth)(?: \w+){0,6}? (?:\w{0,12}(?:sa(?:y|ys|id)|"
    r"claim\w*|think\w*|"
    r"thought|believe\w*|answer(?:s|ed)?|argue\w*|assum\w+|pick(?:s|ed)?|choose|chose|"
    r"call\w*|guess\w*|"
    r"state[sd]?|suggest\w*|insist\w*|mention\w*|giv\w+|gave|report\w*|list(?:s|ed)|"
    r"prefer\w*|favou?r\w*|"
    r"vote[sd]?|lean\w*|would|might|could))(?!\w)|"
    r"(?<!\w)(?:viele|manche|einige|andere|die meisten|leute|beaucoup|certains|d'aucuns|la "
    r"plupart|on dit|"
    r"muchos|muchas|algunos|mucha gente|la gente|la mayoría|muitos|muita gente|alguns|molti|"
    r"alcuni|"
    r"la gente|многие|некоторые|люди|говорят|считается|velen|sommigen|wielu)(?!\w)|"
    r"(?:很多|许多|許多|不少|有些|有的|大多数|大部分)人|有人|人们|以为|以為|据说|據說|听说|聽說|"
    r"多くの人|人もい|と言われ|とされ|많은 사람|사람들"
)
_CASE = (
    r"(?<!\w)(?:supposed?|supposing|assum(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|"
    r"hypothetical(?:ly)?|"
    r"what if|in case|had (?:it|the|this|you|we|i)|were (?:it|the|this|you|we|i|there)|"
    r"wenn|falls|angenommen|vorausgesetzt|s'il|supposons|à supposer|en supposant|"
    r"si fuera|supongamos|suponiendo|supondo|supponendo|supponiamo|если|допустим|"
    r"предположим)(?!\w)|"
    r"^\W*(?:si|se|caso|als|wäre|würde)(?!\w)|如果|假如|假设|假設|假定|要是|倘若|もし|仮に|"
    r"만약|만일|"
    r"(?<!\w)in (?:the|an?|your|this|that|his|her|their) (?:[\w'-]+ ){0,3}(?:novel|story|"
    r"tale|film|movie|"
    r"game|scenario|universe|fiction|timeline|play|series|role-?play|thought experiment|"
    r"dream|joke|"
    r"hypothetical)(?!\w)|(?<!\w)either(?!\w)"
)
_FORMERLY = (
    r"(?<!\w)(?:used to|formerly|historically|back then|at (?:the|that) time|in the past|"
    r"until|before \d{4}|"
    r"(?:the|my|our) (?:previous|earlier|first|initial|original|old|former|last|prior)"
    r"(?: \w+)? (?:answer|choice|reply|response|guess|pick|rating|score|statement|message|"
    r"claim|thought|"
    r"instinct|impression)(?: \w+)? was|früher|damals|bis \d{4}|autrefois|jusqu'en|antes|hasta|"
    r"раньше|прежде|ранее)(?!\w)|以前|曾经|曾經|原先|かつて|예전"
)
_SPOKEN = re.compile("|".join((_READER, _BY_READER, _OTHERS, _FORMERLY)))
_SUPPOSED = re.compile("|".join((_INDEFINITE, _CASE)))
_AFTER = re.compile(
    r"[^.!?;\n。]{0,40}?(?<!\w)(?:for the sake of (?:the )?argument|for argument's sake|"
    r"hypothetically|"
    r"in (?:the|your|that|this) (?:novel|story|film|movie|game|scenario|hypothetical)|"
    r"ago|(?:un)?til \d{3,4}|up to \d{4}|back then|at the time)(?!\w)"
)

_WOULD_BE = re.compile(
    r"[\"'”)\]*]* (?:would|could|might)(?: \w+)? (?:be|"
    r"have)(?!\w)[^.!?;\n]{0,80}?(?<!\w)(?:if|were|had|only|"
    r"provided|unless|on an?|in an?)(?!\w)"
)
"""What a value would be if something else were so."""
_WHAT_OTHERS = re.compile(
    r"[\"'”)\]*]* (?:is|was)(?: just| only| simply| exactly| precisely)? (?:what|whatever|how)"
    r" (?!i(?:'\w+)? |we(?:'\w+)? |makes |fits |works |remains |(?:the|this) (?:question|"
    r"data|evidence|text|"
    r"table|passage|figures?|numbers?|physics|math|maths|facts?|formula|calculation|"
    r"definition)(?!\w))\w"
)
"""What a value is to somebody else, as in `A is what most people guess`."""
_TOO_MUCH = re.compile(
    r"(?: (?:stars?|points?|marks?))?(?: out of \w+)? (?:would|could|might|may|is|seems|"
    r"feels|sounds)"
    r"(?: \w+ly)?(?: be| have been)? (?:far |much |a bit |way |slightly |somewhat )?(?:too |"
    r"overly |generous"
    r"(?!\w)|harsh(?!\w)|high(?!\w)|low(?!\w)|excessive|unfair|undeserved|an? exaggeration)"
)


def is_labelled(text: str, start: int) -> bool:
    """Whether a label's colon, a box or a tag stands right before a value."""
    return _LABELLED.search(text, max(0, start - _NEAR), start) is not None


def is_out_of_reach(text: str, end: int) -> bool:
    """Whether a score is called too much or too little, as in `5 would be too much`."""
    return _TOO_MUCH.match(text, end) is not None


def is_contested(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a value gives it to another speaker, case or time.

    Args:
        text: The folded text.
        start: Where the value starts.
        end: Where it ends.
    """
    if _WHAT_OTHERS.match(text, end):
        return True
    if _AFTER.match(text, end) or _WOULD_BE.match(text, end) or text[start:end].endswith(" ago"):
        return True
    said = text[sentence_start(text, start) : start]
    conceded = _CONCEDES.match(said)
    said = said[conceded.end() :] if conceded else said
    turns = [turn.end() for turn in _TURN.finditer(said.rstrip(_LINKS))]
    said = _COURTESY.sub(" ", said[turns[-1] :] if turns else said)
    if _SUPPOSED.search(said):
        return True
    cues = list(_SPOKEN.finditer(said))
    return bool(cues) and _OWN.search(said, cues[-1].end()) is None
