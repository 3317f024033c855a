"""Words by which replies announce, negate, correct or withhold an answer, in many languages.

Every entry is a small regular expression of ours, written for folded text (one case, NFKC).
Nothing from items or replies ever enters a pattern.
"""

from __future__ import annotations


def words_in(text: str) -> tuple[str, ...]:
    """The words of a text, so that lists of words stay readable."""
    return tuple(text.split())


_KIND = (
    r"(?:final|correct|right|best|likely|likeliest|chosen|selected|only|updated|revised|corrected|"
    r"new|current|proper|overall|true|short|direct|actual|honest|definitive|definite|accurate|"
    r"closest|appropriate|suitable|intended|resulting|logical|reasonable|plausible|sensible|"
    r"probable|better|ideal|optimal|valid|preferred|fitting)"
)
ENGLISH_LABEL = (
    r"(?:(?:most )?" + _KIND + r" ){0,3}"
    r"(?:answer|ans|choice|option|selection|solution|pick|verdict|conclusion|best guess|guess|"
    r"decision|judge?ment|response|result)(?: letter| number| option| choice|"
    r" #?\d{1,3}(?=[ \t]*:))?"
    r"(?:,? (?:here|therefore|then|thus|in this case|of course|in fact|i believe|i think),?)?"
    r"(?: (?:to|for|of|among|that|which|based on|given|in) [^.\n:;?!\"]{1,80}?)?"
)
ENGLISH_LINK = (
    r"(?:[ \t]*(?::|=+>?|-+>|→|⇒|—|\|)|[ \t]+-(?=[ \t])|"
    r"(?: is|'s)(?: still| now| thus| therefore| indeed| clearly| definitely| simply| probably|"
    r" (?:most |very )?likely| actually| certainly| in fact| of course| surely)?:?(?!\w)|"
    r"(?= (?:isn't|wasn't|ain't)(?!\w))| (?:remains|stays|would be|must be|should be|has to be|"
    r"will be|ought to be|would have to be|becomes|turns out to be|comes out (?:to|as))(?!\w))"
)
OTHER_LABELS = "".join(
    (
        # German, Dutch, Swedish, Danish
        r"antwort|lösung|ergebnis|wahl|antwoord|oplossing|keuze|svar(?:et)?|απάντηση|",
        # French, Spanish, Portuguese, Italian, Catalan
        r"réponse|reponse|choix|solution|résultat|respuesta|opción|opcion|elección|solución|"
        r"resultado|",
        r"resposta|opção|opcao|alternativa|escolha|solução|risposta|opzione|scelta|soluzione|",
        r"risultato|resposta|",
        # Russian, Ukrainian, Polish, Czech, Turkish, Vietnamese, Indonesian
        r"результат|итог|wynik|resultaat|resultat|ответ|вариант ответа|вариант|решение|выбор|"
        r"відповідь|odpowiedź|odpowiedz|odpověď|cevap|",
        r"yanıt|đáp án|câu trả lời|jawaban(?:nya)?|",
        # Arabic, Persian, Hebrew, Hindi
        r"ال?اجابة|الجواب|جواب|الاختيار|الخيار|الحل|پاسخ|תשובה|התשובה|उत्तर|जवाब|विकल्प",
    )
)
OTHER_TAIL = (
    r"(?: (?:yang benar|yang tepat|correcta|correcte|correta|corretta|exacte|exacta|juste|"
    r"finale?|final|certa|giusta|"
    r"esatta|definitiva|definitivo|correcto|correto|corretto|richtig|korrekt|endgültig|adecuada|"
    r"الصحيحة|الصحيح|النهائية|النهائي|صحیح|הנכונה|הסופית|है|benar|đúng|doğru|poprawna|"
    r"správná)){0,2}"
)
OTHER_LINK = (
    r"(?:[ \t]*(?::|=+>?|-+>|→|—)|[ \t]+-(?=[ \t])|"
    r" (?:ist|lautet|bleibt|wäre|est|serait|reste|es|sería|sigue siendo|é|seria|è|resta|rimane|"
    r"sarebbe|sia|sea|είναι|seja|soit|sei|это|этo|является|будет|to|je|är|er|is|là|adalah|ialah|"
    r"هي|هو|است|היא|है|:)(?: donc| also| quindi| dunque| portanto| por lo tanto| por tanto| daher|"
    r" somit)?(?!\w):?|(?= (?:no es|n'est pas|non è|não é|не|is niet|är inte|nie jest)(?!\w)))"
)
CJK_LABELS = (
    r"(?:正确|正確|最终|最終|最佳|标准|標準|我的|本题|本題)?(?:的)?"
    r"(?:结果|結果|答案|答え|こたえ|正解|回答|解答|结论|結論|选项|選項|选择|選択(?!肢)|選擇|정답|"
    r"최종 ?답변|답변|결론|선택)"
    r"|(?<![가-힣\w])답|答(?=[ \t]*:)|\u0e04\u0e4d\u0e32\u0e15\u0e2d\u0e1a"
)
PLAIN_LABELS = (
    r"(?:правильный ответ|верный ответ|верный вариант|doğru cevap|"
    r"答案|答え|正解|정답|सही विकल्प|उत्तर|जवाब|الجواب|الاجابة)"
)
"""Labels that a letter may follow without a link."""
CJK_LINK = (
    r"(?:(?=不是|并非|並非)|[ \t]*(?::|=|→|—)|[ \t]*(?:应该是|應該是|应当是|應當是|应为|應為|"
    r"就是|还是|還是|仍是|是|为|為|選|选|は|が|은|는|이|가|\u0e04\u0e37\u0e2d))"
)
CJK_VERBS = (
    r"(?:我|本题|本題|此题|此題|该题|該題|所以|因此|故|应|應|应该|應該|应当|仍然?|还是|還是|最终|最終)(?:会|會|要|仍|还|還|应|"
    r"應)?"
    r"(?:选择|選擇|选|選|坚持|堅持)|(?:^|[,。;:])[ \t]*(?:选择|選擇|(?:选|選)(?![项項择擇]))|"
    r"(?:故|因此|"
    r"所以)(?:答案)?(?:是|为|為)"
)
ENGLISH_VERBS = (
    r"(?:i|we|let's|let us|let me)(?:'d|'ll|'m|'re|'ve| would| will| am| are| still| do| must|"
    r" have| has| need| now| finally| therefore| thus| shall| confidently| firmly| going|"
    r" to| have to| definitely| just| then){0,4} "
    r"(?:choose|chose|pick|picked|select|selected|go (?:along )?with|go for|going with|going for|"
    r"sticking with|sticking to|stick with|stick to|staying with|stay with|stand by|standing by|"
    r"answer|say|vote for|opt for|settle on|settle for|conclude|guess|take|maintain|"
    r"(?:chang|switch|revis|updat|correct)(?:e|ed|ing)? (?:my )?(?:answer |choice |response |mind |"
    r"vote )?(?:from [^.,;\n]{1,30} )?to|"
    r"choosing|picking|selecting|keep(?:ing)?|confirm|confident in)"
    r"(?: (?:with|that|it is|it's|is|the answer is|the answer|my (?:original |initial |first |"
    r"previous |earlier |final )?(?:answer|choice|position)(?: of| as| that)?|for|on|to)){0,3}"
)
OTHER_VERBS = (
    r"ich komme auf|(?:cela|ça) fait|получается|"
    r"(?:changing|switching|revising|updating|correcting) (?:my )?(?:answer|choice|response|mind|"
    r"vote)"
    r" to|(?<!non )(?:penso|credo) che sia|(?<!não )acho que (?:é|seja)|(?<!no )creo que es|"
    r"je pense que c'est|"
    r"(?<!nie )(?:myślę|uważam), że to|jag tror (?:att )?det är|ik denk dat het|"
    r"ich würde(?=\W{1,3}[a-z]\W{1,3}(?:wählen|nehmen|sagen|ankreuzen))|ich (?:wähle|nehme|"
    r"bleibe bei|entscheide mich für|stimme für|tippe auf|würde sagen)|"
    r"je (?:choisis|sélectionne|maintiens|dirais|vote pour|reste sur|prends)|j'opte pour|"
    r"(?:yo )?(?:elijo|escojo|selecciono|me quedo con|opto por|mantengo|elegiría|diría)|"
    r"(?:eu )?(?:escolho|seleciono|fico com|mantenho|escolheria|diria)|"
    r"(?:io )?(?:scelgo|seleziono|mantengo|sceglierei|direi)|opto per|"
    r"(?:я )?(?:выбираю|выберу|выбрал|выбрала|остановлюсь на|считаю, что это)|"
    r"(?:انا )?(?:اختار|ساختار)|मैं(?:ने)? चुनता हूँ|"
    r"ليست? (?:ال)?(?:اجابة|جواب|اختيار|خيار)(?: الصحيحة| الصحيح)? [^.\n]{1,40}? بل(?: هي| هو)?"
)
WEAK = (
    r"(?:it|that|this)(?:'s|'ll be|'d be| is| must be| has to be| would be| should be| will be|"
    r" was| can only be| should have been| ought to be)(?: still| therefore| thus| clearly|"
    r" definitely| actually| probably|"
    r" (?:most )?likely)?|leaving(?: us with| only)?|(?:that|which) leaves(?: us with| only)?|"
    r"left with(?: only)?|(?:lean|leaning)(?: more)? towards?|inclined to (?:say|choose|pick|"
    r"go with)|"
    r"(?:(?<=i'm )|(?<=am )|(?<='re )|(?<=are )|(?<=still )|(?<=be )|(?<=so )|(?<=[.!?,;:)] )|"
    r"(?<=\n)|^)(?:choosing|going with|sticking with|selecting|picking)|"
    r"(?:sorry|no(?=[,:. ]{2}|[,:.]|$)|nope|wait|correction|i mean|i meant|make that|scratch that|"
    r"actually)[,:. ]{0,4}|(?:son|sono|são)(?= \d)|"
    r"(?:i|we)(?: still| then| thus| therefore)? (?:get|got|obtain|find|"
    r"found|end up with|arrive at)(?! an? )|"
    r"gives(?: us| me)?|yields|totals?|comes to|narrows? (?:it )?down to|leaves(?: us with| only)?|"
    r"i(?:'d| would)? (?:think|believe|say)(?: it is| it's| that it is| that it's)?|"
    r"(?:so|therefore|thus|hence|ergo),?(?: it is| it's)?|corresponds to(?: option)?|"
    r"points? to|matches(?: with)? option|das ist|es ist|richtig ist|korrekt ist|correct is|c'est|"
    r"(?<!\bno )es (?:la|el)|é a|(?<!\bnon )è la|это|"
    r"rather,?|instead,?"
)
WEAK_COPULA = (
    r"(?:(?: is| are| was| were| equals?|'s| ist| sind| war| est|(?<!\bno) es| é|(?<!\bnon) è| son|"
    r" sono| это)(?!\w)|(?<![不])是|[ \t]*[=≈]|[ \t]+[—-]) ?(?:called |named |known as )?"
)
_ADVERBS = (
    r"(?: indeed| definitely| clearly| still| therefore| thus| also| actually| in fact|"
    r" the one that is)?(?: the| my)?"
)
AFTER_VALUE = (
    r" (?:is|must be|would be|remains|has to be|should be|was|(?:seems|appears|looks)(?: to be)?)"
    + _ADVERBS
    + r"(?:(?: (?:most|only|final|best|better|single))? (?:correct|right|best|accurate|answer|"
    r"choice|option|pick|true one|one (?:that|which) (?:is (?:correct|right)|makes sense))(?!\w)"
    r"(?! (?:to|for) (?:you|him|her|them|many|some|most|others|people|the user)(?!\w)| in your)|"
    r" most (?:likely|appropriate|suitable|logical|"
    r"reasonable|plausible|sensible|fitting|probable)(?=[.,;:!\n]|$| (?:answer|choice|option|"
    r"correct|candidate))| (?:one|option|answer|choice) that (?:best )?(?:fits|matches|works|"
    r"applies|answers)(?!\w))|"
    r",? it is(?=[.!,;\n]|$)|"
    r"(?: is)?(?: as)? the (?:correct|right|best|most \w+) (?:answer|choice|option)(?!\w)|"
    r" are(?: both| all)? (?:correct|right)(?!\w)|"
    r" (?:ist|wäre|bleibt)(?: die)? (?:richtig(?:e)?|korrekt(?:e)?|die antwort)(?!\w)|"
    r" est(?: la)?(?: bonne)? (?:correcte?|réponse|juste)(?!\w)|"
    r" (?:es|é|è)(?: la| a)? (?:correct[ao]|corret[ao]|corrett[ao]|respuesta|resposta|risposta|"
    r"certa|giusta)(?!\w)|"
    r" ?(?:是|才是)?(?:正确|正確|对的|對的|正解)"
    r"(?!的?(?:答案|选项|選項)?(?:应该|應該)?[是为為])|"
    r"(?:が|は) ?(?:正解|正しい|答え|最も適切)|"
    r"を(?:選び|選択|選ぶ)|"
    r"(?:가|이|번이|번) ?(?:정답|맞|옳)|[을를] ?선택|번을 ?선택| (?:верно|правильный|правильно)|"
    r" (?:هو|هي) "
    r"(?:ال)?(?:صحيح|صحيحة|اجابة)| (?:सही|सबसे सही)(?: उत्तर)? है"
)
NEGATED_AFTER = (
    r",? but (?:it is |is )?(?:no longer|not any ?more)(?!\w)|"
    r" only (?:if|when|under|in case|for)(?!\w)| if [^.;\n]{1,40}, [^.;\n]{0,20}\bif(?!\w)|"
    r"[ \t]*(?:-+>|[→⇒])[ \t]*[(\[]?[a-z](?!\w)|"
    r"[ \t]*[✗✘❌❎✖✕🚫👎]| değil(?:dir)?(?!\w)|"
    r"[ \t]*,? (?:is|was|would be|would have been|looks like|seems|may be|might be)(?: \w+ly)? "
    r"(?!no )(?!not )(?:an? |the )?(?:\w+ ){0,2}(?:mistake|error|trap|distractor|misconception|"
    r"fallacy|myth|decoy|red herring|wrong answer)(?!\w)|"
    r",? (?:(?:or )?so )?(?:some|many|most|people|others|they|critics|textbooks|he|she|you)"
    r"(?: (?:people|others|would|might|may|may well|will|often|still|wrongly)){0,2} (?:say|says|"
    r"claim|claims|think|thinks|believe|believes|argue|argues|insist|insists|tell)(?!\w)|"
    r",? says? (?:some|many|most|others|critics|people|the)(?!\w)|,? according to (?:some|many|"
    r"most|others|you|the user|him|her|them|popular|critics)(?!\w)|"
    r"(?:[ \t]*,)?(?: (?:is|was|would be|seems|'s|option is))?(?: (?:not|n't|clearly|obviously|"
    r"also))* "
    r"?(?:incorrect|wrong|not (?:correct|right|true|the)|out(?: of the question)?(?=[.,;\n]|$)|"
    r"ruled out|impossible|eliminated|excluded|false(?=[.,;\n]|$))(?!\w)"
    r"| (?:isn't|is not|cannot be|can't be|wasn't|doesn't)(?!\w)"
    r"| ?(?:ではない|ではあり|じゃない|でない|ではなく)|(?:이|가)? ?아니|(?:이|가|은|는)? ?아닙|"
    r" नहीं| गलत|(?:是)?错误|(?:是)?錯誤|是错|是錯|不对|不對|不正确|不正確| (?:ist|est|es|é|è) "
    r"(?:falsch|nicht|fausse?|incorrect[aeo]|errad[ao]|sbagliat[ao])"
)
NOT_HERE = (
    r"(?:(?:it|that|this|he|she|they|c'|es|das)(?: is| are|'s| est| ist)? |is |are )?"
    r"(?:definitely |certainly |clearly |obviously |probably |likely |simply )*"
    r"(?:not|isn't|ain't|aren't|wasn't|never|neither|nor|nothing but|anything but|can't be|"
    r"cannot be|couldn't be|no longer|no es|não é|non è|(?:is )?(?:niet|geen)|"
    r"(?:är )?inte|ikke|nie jest|není|bukan|không phải(?: là)?|nicht|kein\w*|"
    r"weder|ne |n'est|pas|nunca|não|nao|non|не|нет|"
    r"ليس\w*|ليست|नहीं|不是|并非|並非|非|別|不可能是?|"
    r"(?:错误|錯誤|错|錯)的?(?:答案|选项|選項)?是|排除|오답은?|틀린 (?:것|답)은)"
    r"(?: (?:be|pas|option|choice|the option|only))?[ \t]*"
)
INSTEAD = (
    r"(?:[,;—-] |(?<!\w))(?:but(?: rather| instead)?|rather|instead|sondern|sino|mais|ma|mas|а|"
    r"но|maar|utan|men|lecz|ale|nýbrž|melainkan|mà là|"
    r"(?<!that )it(?:'s| is))(?!\w)|而是|"
    r"[,;，](?:所以|因此|那么|故)?(?:我?[选選][择擇]?|(?:应该|應該)?[是为為]|正[确確]的?(?:答案)?是)|"
    r"[,;—-] (?!(?:or |nor |and )?\(?[a-z]\)?(?:,| or(?!\w)| nor(?!\w)| and(?!\w)))(?!or |nor )"
)
INSTEAD_AFTER = r" ?(?:ではなく(?:て)?|じゃなく(?:て)?|でなく(?:て)?|(?:가|이) ?아니라)[,、 ]*"
"""What follows a denied value where the value that stands instead comes next."""
NEGATED_BEFORE = (
    r"(?<!\w)(?:not|never|cannot|hardly|nor|neither|(?<!no )(?<!without )(?<!without a )doubt|"
    r"(?:false|untrue|wrong|incorrect) that|converse|contrapositive|"
    r"(?:first|second|other|one|last) (?:part|half)|"
    r"(?:mistake|error|trap|pitfall|fallacy) (?:here )?(?:is|was|would be)|"
    r"(?:common|usual|typical|frequent|classic|easy) (?:mistake|error|trap|pitfall|confusion)|"
    r"doubtful|unlikely|wish|hope|pretend|understandable|easy to|"
    r"no (?:evidence|reason|proof|indication|basis)|wrong to|incorrect to|"
    r"mistake to|misleading to|false to|deny|disagree|"
    r"reject|nicht|kein\w*|nunca|não|jamais|niemals|не|ليست?|niet|geen|inte|ikke|nie|není|bukan|"
    r"không phải|pas|no(?= (?:es|son|sería|fue|creo|puede|elijo|elegiría|diría))|"
    r"non(?= (?:è|sono|sarebbe|era|credo|penso|può|scelgo|direi)))(?!\w)|"
    r"n't(?!\w)|不是|不认为|不認為|并非|不选|不選|(?:错误|錯誤|错|錯)的?(?:答案|选项|選項)?$|"
    r"(?:不可能|排除)$"
)
ATTRIBUTED = (
    r"(?<!\w)(?:you|your (?:friend|teacher|professor|colleague|source)|user|he|she|they|people|"
    r"someone|somebody|others?|some|many|friend|colleague|professor|teacher|student|textbook|"
    r"author|article|expert|critics?|everyone|most|one)\b[^.;:\n]{0,40}?\b(?:say|says|said|think|"
    r"thinks|thought|believe|believes|believed|claim|claims|claimed|suggest|suggests|suggested|"
    r"mention|mentions|mentioned|state|states|stated|insist|insists|insisted|argue|argues|"
    r"argued|propose|proposed|write|writes|feel|assume|assumes|assumed|wrote|told|gave|chose|"
    r"want|prefer|"
    r"picked|hold|assert|asserted|saying|claiming|thinking|suggesting|insisting|asserting)(?!\w)|"
    r"(?<!\w)i (?:had |have |just |originally |initially |previously |first |earlier |once )*"
    r"(?:said|thought|assumed|claimed|stated|believed|wrote|gave|answered|chose|considered|held|"
    r"felt|"
    r"figured|guessed|reckoned|expected|supposed)(?!\w)|"
    r"(?<!\w)i (?:used to|would have|could have|no longer|once|"
    r"(?:have )?(?:read|heard) that)(?!\w)|"
    r"(?<!\w)i(?:'m| am| was| have been) told(?!\w)|"
    r"(?<!\w)(?:initially|originally|previously|at first|tempting|tempted|"
    r"misconception|your (?:\w+ )?(?:view|opinion|belief|claim|suggestion|point|idea|assertion|"
    r"argument|"
    r"statement|position|thought) (?:that|is|was)|mistakenly|wrongly|popular belief|claim that|"
    r"idea that|assumption that|"
    r"suggestion that|assertion that|argument that|belief that|notion that|the form|format|"
    r"in the style|"
    r"had you|instructed|example|e\.g|for instance)(?!\w)|"
    r"你说|你說|您说|您說|你认为|你認為|您认为|您認為|用户|用戶|你的|您的|"
    r"(?<!\w)(?:du|sie) (?:sagst|sagen|meinst|meinen|behauptest|behaupten|denkst|glaubst)|"
    r"(?<!\w)(?:tu|vous) (?:dis|dites|penses|pensez|affirmes|affirmez|avez dit|as dit)|"
    r"(?<!\w)(?:dices|dijiste|crees|afirmas|usted dice|você disse|você acha|hai detto|pensi che|"
    r"ты (?:сказал|думаешь|утверждаешь)|вы (?:сказали|думаете|утверждаете|считаете))|"
    r"あなた|당신|आपने|आपका|قلت|تقول"
)
ASKED_IF = (
    r"(?<!\w)let \w{1,2}[ \t]*$|(?<!\w)(?:if|whether|unless|suppose|supposing|assuming|assume|"
    r"hypothetically|(?:probability|chance|likelihood|odds)(?!(?: of [\w ,'-]{1,60})?\W*$)|"
    r"(?:were|should) ?$|possibility|imagine|in case|when|wenn|falls|ob|si|"
    r"se|if only|could|might|may|perhaps|maybe|что если|если)(?!\w)|如果|假如|否则|否則|"
    r"是否|もし|만약|也许|也許|或许|或許|大概|(?<!不)可能是?|かもしれ|아마"
)
BAD_BEFORE_LABEL = (
    r"(?<!\w)(?:your|user's|users|wrong|incorrect|previous|prior|initial|original|earlier|first|"
    r"other|student's|students'|his|her|their|alternative|possible|common|example|sample|"
    r"suggested|proposed|"
    r"no|any|an|another|each|every|which|what|second|expected|naive|tempting|usual|popular|"
    r"obvious|second best|runner-up|trap|decoy|least|worst|misleading|"
    r"user:|human:|student:|customer:|old|former|past|friend's|"
    r"teacher's|false|claimed|rejected|"
    r"eliminated|either|this|that|\w+(?<!let)(?<!it)(?<!here)(?<!that)(?<!what)'s|ihre|deine|"
    r"votre|ta|tu|su|tua|sua|ваш|твой|falsche|mauvaise|"
    r"неправильный|неверный|incorrecta|errada)$|"
    r"(?:错误|錯誤|你的|您的|错的|其他|원래|잘못된|あなたの|以前の|最初の|誤った|間違った)$"
)
ASIDE = (
    r"(?<!\w)(?:according to (?:you|your|the user|him|her|them|some|many)|user:|human:|student:|"
    r"in (?:the|my|our|your) (?:first|previous|earlier|last|prior|initial|original) (?:turn|"
    r"message|"
    r"answer|reply|response)|"
    r"for example|for instance|e\.g\.|such as|z\. ?b\.|par exemple|por ejemplo|例如)"
)
BAD_LABEL = (
    r"(?<!\w)(?<!at )(?:least|less) (?:likely|probable|plausible|suitable|convincing|appropriate|"
    r"sensible|reasonable|fitting|correct|accurate)(?!\w)|"
    r"(?<!\w)\w+(?<!let)(?<!it)(?<!here)(?<!that)(?<!what)(?<!there)'s (?:\w+ )?(?:answer|choice|"
    r"guess|pick|verdict|claim)(?!\w)|"
    r"(?<!\w)(?:wrong|incorrect|false|worst)(?: \w+)? (?:one|statement|item)(?!\w)|"
    r"(?<!\w)(?:the|its) (?:former|erstwhile|onetime) (?!is|was)\w+|"
    r"(?<!\w)(?:your|user's|wrong|incorrect|previous|prior|initial|original|earlier|first|second|"
    r"third|fourth|fifth|trap|decoy|least|worst|misleading|"
    r"alternative|"
    r"possible|common|tempting|other|naive|rejected|eliminated)(?: \w+)? "
    r"(?:answer|choice|option|selection|solution|pick|verdict|guess|response|suggestion|proposal|"
    r"claim|idea|belief|opinion|view|position)(?!\w)|(?:你的|您的|"
    r"错误)答案"
)
NONE_OF_THEM = (
    r"(?:don't|do not) (?:think|believe|see|find) (?:that )?any of (?:the|these|those|them)"
    r"(?: \w+){0,4}? (?:is|are|to be|fits?|works?|appl(?:y|ies)|match(?:es)?)(?!\w)|"
    r"none (?:is|are|fits?|works?|appl(?:y|ies)|match(?:es)?)(?!\w)|"
    r"none of (?:the|these|them|those)(?: (?:above|options|choices|answers|listed|given|provided|"
    r"four|three))*|"
    r"neither(?: of (?:the|these|them)[^.\n]{0,20})?(?=[.!,;\n]|$)|no (?:correct|right|valid) "
    r"(?:option|answer|choice)|keine (?:der|davon|von)|aucune? (?:de|des|d')|ninguna? (?:de|das|"
    r"opción)|nenhuma?|nessuna?|ни один|ничего из|以上(?:都|皆|均)(?:不|非)|都不(?:对|對|是|"
    r"正确)|没有正确|"
    r"どれでもない|該当なし|없음|해당 ?없음|لا شيء مما|इनमें से कोई नहीं|none(?=[.!,;\n]|$)"
)
DONT_KNOW = (
    r"(?:i |we |i really |i honestly |i just |i simply |i truly )?(?:do not|don't|dont|can't|"
    r"cannot|could not|couldn't|am unable to|'m unable to|am not able to|"
    r"'m not able to)(?: really| honestly|"
    r" currently| reliably| definitively| confidently)? (?:know|determine|tell|decide|say"
    r"(?: for (?:sure|certain))?(?=[.,;!\n]|$| which| whether| what| if| with)|be (?:sure|certain)|"
    r"choose(?: between)?|pick)(?!\w)|idk(?!\w)|"
    r"(?:i'm |i am |i remain |we are |still )?(?:not (?:entirely |completely |really |at all |"
    r"quite |fully )?"
    r"(?:sure|certain)|unsure|uncertain|undecided|unknown)(?!\w)|"
    r"(?:it is |it's |that is |is )?(?:impossible|not possible) to (?:say|tell|know|determine|"
    r"answer)|"
    r"(?:it |this |the answer |that )?(?:cannot|can't|can not|could not) be (?:determined|known|"
    r"answered|decided|inferred|established|verified)|undetermined|indeterminate|"
    r"(?:do not|don't) have (?:enough|sufficient|any|(?:a |an )?(?:personal )?"
    r"(?:preferences?|opinions?|views?|stance|answer|feelings|beliefs))(?!\w)|"
    r"(?:it is |it's )?(?:hard|difficult|tough) to (?:say|tell|know)|"
    r"(?:there is |there's |we have |"
    r"i have )?(?:not enough|insufficient|no) (?:information|data|"
    r"context|opinion|preference|personal opinion|idea|clue)|unclear(?=[.,;!\n]|$)|"
    r"no (?:answer|comment)(?=[.,;!\n]|$)|n/a(?!\w)|"
    r"(?:there is |there's )no (?:single |one |objectively |clear |definitive )*(?:correct|right|"
    r"answer)|"
    r"ich weiß (?:es )?nicht|weiß (?:ich )?nicht|keine ahnung|unklar|je ne sais pas|je l'ignore|"
    r"aucune idée|"
    r"no (?:lo )?sé|ni idea|não sei|nao sei|non (?:lo )?so(?!\w)|я не знаю|не знаю|затрудняюсь|"
    r"不知道|不清楚|不确定|不確定|无法确定|無法確定|わかりません|分かりません|わからない|"
    r"知りません|不明|"
    r"모르겠|알 수 없|잘 몰라|모릅니다|لا اعرف|لا ادري|लا ادري|मुझे नहीं पता|मैं नहीं जानता|"
    r"पता नहीं"
)
REFUSES = (
    r"(?<!\w)i(?:'m| am|'d| would|'ll| will| really| simply)? (?:sorry,? (?:but )?i |"
    r"afraid (?:that )?i )?(?:can't|cannot|can not|won't|"
    r"will not|"
    r"must not|am unable to|'m unable to|unable to|am not able to|not able to|"
    r"(?:must |have to |respectfully |prefer to |would rather |need to )*decline|refuse|"
    r"(?:would |will |'d )?prefer not to|choose not to|would rather not)(?: to)?(?: (?:help|assist|"
    r"answer|provide|comply|engage|discuss|share|respond|give|offer|comment|continue|do that|"
    r"participate|take sides|take a (?:position|stance|side)|fulfill|support|with|choose|pick|"
    r"select|address|complete|express|recommend|say|this|that)(?!\w)|(?=[.,;!\n]|$))|"
    r"i must (?:respectfully )?decline|i decline|as an ai[^.\n]{0,60} (?:can't|cannot|unable|"
    r"not able)|against my (?:guidelines|policy|programming)|not (?:comfortable|"
    r"appropriate)(?: for me)? "
    r"(?:answering|to answer|to provide)|(?:^|[.!\n] ?)(?:i'm |"
    r"i am )?sorry,? (?:but )?(?:i )?(?:can't|cannot)|"
    r"ich kann (?:ihnen |dir |dabei |das )*(?:leider )?nicht (?:helfen|beantworten)|"
    r"je ne (?:peux|puis) pas (?:répondre|vous aider|t'aider)|no puedo (?:ayudar|responder)|"
    r"não posso (?:ajudar|responder)|non posso (?:aiutar|rispondere)|я не могу (?:помочь|ответить)|"
    r"无法(?:回答|提供|协助)|無法(?:回答|提供|協助)|不能(?:回答|提供)|お答えできません|"
    r"お手伝いできません|"
    r"답변(?:할|드릴) 수 없|도와드릴 수 없|لا استطيع (?:الاجابة|المساعدة)|لا يمكنني (?:الاجابة|"
    r"المساعدة)|"
    r"(?:मैं )?(?:इसका )?(?:उत्तर|मदद) नहीं (?:दे|कर) सकता"
)
ASKS = (
    r"(?:could|can|would|will) you (?:please |kindly |perhaps |possibly )*(?:provide|clarify|"
    r"share|tell|"
    r"specify|give|explain|elaborate|confirm|send|list|rephrase|repeat|show|describe|let me know|"
    r"say more|be more specific|restate|paste|include)|"
    r"(?:please|kindly) (?:provide|clarify|share|specify|give me|tell me|send|list|let me know|"
    r"rephrase|"
    r"confirm|include|paste|restate)|what (?:do you mean|exactly|are the (?:options|choices)|"
    r"would you|do you)|which (?:one )?"
    r"(?:do you|are you|would you|of these do you)|do you mean|are you (?:asking|referring)|"
    r"i (?:would |'d |'ll |will )?need (?:more|additional|further|some) (?:information|context|"
    r"details)|"
    r"(?:no|the) (?:options|question|choices) (?:were|was) (?:not )?(?:provided|given|listed)|"
    r"können sie|könnten sie|kannst du|pouvez-vous|pourriez-vous|podría(?:s)?|puedes|você pode|"
    r"poderia|puoi|"
    r"potrebbe|не могли бы вы|можете ли|请提供|請提供|请问|請問|教えていただけ|알려주|هل يمكنك|"
    r"क्या आप"
)
RETRACTS = (
    r"(?<!\w)(?:wait|hold on|hmm+|actually|correction|scratch that|on second thought|on reflection|"
    r"sorry|apologies|i apologi[sz]e|oops|no,|let me (?:re-?check|recheck|reconsider|correct)|"
    r"re-?checking|i was wrong|my mistake|i made (?:a|an) (?:mistake|error)|i stand corrected|"
    r"moment mal|halt|pardon|attendez|espera|perdón|aspetta|scusa|подождите|погоди|стоп)(?!\w)|"
    r"等等|等一下|不对|不對|更正|待って|いや|잠깐|아니"
)
TAKES_BACK = (
    r"(?<!\w)(?:(?:that|this|which|it|my (?:previous |earlier |last |first )?answer)(?:'s| is|"
    r" was) "
    r"(?:wrong|incorrect|not right|not correct|a mistake|mistaken|an error)|scratch that|"
    r"i take (?:that|it) back|ignore that|disregard that)(?!\w)"
)
