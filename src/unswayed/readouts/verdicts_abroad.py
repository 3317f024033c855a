"""Sentences that call a statement right or wrong in other languages, as `das stimmt nicht` does.

A verdict on a clause that is itself a verdict, or that is called a myth, is none.

Words of ours for folded text, as in `wordlists`.
"""

from __future__ import annotations

import re

CJK_STATED = re.compile(
    r"(?:这|這|该|該|此)?(?:それ|これ|说法|說法|陈述|陳述|命题|命題|句话|句話|主张|主張|发言|"
    r"記述|文)(?:是|"
    r"は|が)?"
)
_IT = (
    r"[ \t,.:;!。、，！—-]{1,4}(?:(?:(?:die|diese) (?:aussage|behauptung|these) |(?:この|"
    r"その)(?:主張|記述|発言|文)は|이 (?:주장|진술|문장)은 ?|das|dies|es|ça|cela|ce|esto|eso|"
    r"isso|isto|questo|это|that|"
    r"this|it|"
    r"这|這|那|それは|これは|그것은|그건|이건)[ \t]?)?"
)
_CLAUSE_ENDS = (
    r"(?=[ \t\"'”»」)\]*]*(?:[.!,;:\n。！、，；…]|$|[—–]|-\s)|"
    r" (?:weil|da|denn|car|parce que|porque|perché|потому)(?!\w))"
)
DENIES_IT = re.compile(
    _IT + r"(?:stimmt (?:(?!nicht )\w+ )?nicht|ist (?:(?!nicht |nie |kaum )\w+ )?(?:falsch|unwahr)|"
    r"ist (?:\w+ )?nicht (?:wahr|richtig|korrekt|so|der fall)|n'est pas (?:vraie?|exacte?|"
    r"correcte?|juste|le cas)|c'est (?:faux|inexact)|est (?:faux|fausse)|no (?:es|son|está) "
    r"(?:verdad|cierto|correcto|así|verdadero|exacto)|no lo es|(?:es|son) (?:falso|incorrecto|"
    r"mentira)|não (?:é|está) (?:verdade|certo|correto|verdadeiro|assim)|não é|é (?:falso|"
    r"mentira|"
    r"incorreto)|está (?:errad|incorret)[oa]|non (?:è|lo è)(?: (?:vero|corretto|giusto|esatto|"
    r"così))?|è (?:falso|sbagliato|errato)|(?:это )?(?:не (?:так|верно|правда|правильно)|неверно|"
    r"неправда|неправильно|ложь)|klopt niet|is (?:niet (?:waar|juist|correct|zo)|onjuist|onwaar)|"
    r"(?:并|並)?不是(?:(?:真|对|對|正确|正確|事实|事實|这样|這樣)的?)?|是?(?:错误?|錯誤?|"
    r"不对|不對|"
    r"不正确|不正確|不属实|不屬實|假)的?|(?:間違い|誤り|違い)(?:です|だ|である)?|"
    r"間違って(?:います|いる)|違(?:います|う)|正しく(?:ない|ありません)(?:です)?|"
    r"틀(?:렸습니다|립니다|렸어요|려요|린 (?:말|것)입니다)|거짓(?:입니다|이다|이에요)|"
    r"(?:사실이 )?아(?:닙니다|니에요|니다))" + _CLAUSE_ENDS
)
CLAUSE_END = re.compile(_CLAUSE_ENDS)
SAID_OF_IT = re.compile(
    r"[ \t,.:;!。、，！—-]{1,4}(?:(?:it|this|that|das|dies|es|cela|esto|eso|isso|questo|это)"
    r"(?: (?:is|was|ist|est|es|é|è)|'s)? ?|c'est )(?:indeed |actually |in fact |ja |doch )?"
)
_THAT = r"(?:que|qu'|dass|che|что|dat|że)(?!\w)"
_WORDS = (
    r"(?<!\w)(?:wahr|falsch|richtig|unwahr|vraie?|fau(?:x|sse)|verdad\w*|"
    r"cierto|fals[oa]|mentira|certo|vero|corrett[oa]|sbagliat[oa]|неправда|правда|ложь|"
    r"неверно|верно|"
    r"waar|onwaar|juist|onjuist|prawda|fałsz)(?!\w)"
)
_OF_A_VERDICT = re.compile(rf"[ ,]{{1,2}}{_THAT}[^.!?,;\n]{{0,60}}?{_WORDS}")
"""What follows a verdict on a clause that is itself one, as in `no es cierto que sea falso`."""
_UNDER_A_VERDICT = re.compile(rf"{_WORDS}[ ,]{{1,2}}{_THAT}[^.!?,;\n]{{0,60}}\Z")
"""What stands before a verdict that another one is said of."""
_CALLED = re.compile(
    r"(?:(?<!\w)(?:is|was)|'s) (?:an? |just |only )*(?:[\w'-]+ ){0,5}(?:statement|claim|"
    r"assertion|"
    r"assumption|premise|idea|belief|argument|hypothesis|myth) that(?!\w)[^.!?;\n]{0,120}\Z"
)
"""What says of a clause that it is a myth or a belief, and not that the reply holds it."""
_REACH = 200
_OF_BELIEVERS = re.compile(
    rf"[ ,]{{1,2}}{_THAT} ?(?:viele|manche|einige|die meisten|(?:die )?leute|man|du|ihr|"
    rf"beaucoup|certains|"
    r"la plupart|les gens|on|vous|tu|much[oa]s|algun[oa]s|mucha gente|la gente|la mayoría|"
    r"usted|muitos|"
    r"muita gente|você|molti|alcuni|многие|некоторые|люди|вы|ты|veel|velen|sommigen|wielu)(?!\w)"
)
"""What follows a verdict on what people do, as in `es stimmt, dass viele das glauben`."""
SAID_TO_READER = re.compile(
    r"[,.!;:—、，。！ ]{1,3}(?:you (?:did|have|had)(?: \w+){0,2} (?:ask|asked|say|said|"
    r"mention|mentioned|tell|"
    r"told|write|wrote|written|raise|raised)|(?:das |ich |dich |sie )?(?:verstehe|sehe|höre|"
    r"weiß|begreife)"
    r"(?: ich| das| dich| sie| ihre\w*| deine\w*)|kein problem|keine (?:sorge|ursache)|danke|"
    r"gerne?(?=\W)|"
    r"entschuldig|(?:es )?tut mir leid|j(?:e |')(?:vous |te |t'|le |l')?(?:comprends|vois|"
    r"entends|sais|ai "
    r"compris|m'excuse)|merci|pas de (?:problème|souci)|aucun problème|désolée?|avec plaisir|"
    r"(?:yo )?(?:te |le |lo |la )?(?:entiendo|comprendo|veo lo que|sé lo que)|gracias|no hay "
    r"problema|"
    r"ningún problema|de nada|perdón|disculp|(?:eu )?(?:te |o )?(?:entendo|compreendo|"
    r"percebo)|obrigad[oa]|"
    r"sem problemas?|desculp|(?:io )?(?:ti |la |lo )?(?:capisco|comprendo)|grazie|nessun "
    r"problema|scus[ai]|"
    r"(?:я )?(?:вас |тебя )?(?:понимаю|слышу|вижу, что вы)|спасибо|без проблем|никаких "
    r"проблем|извин|"
    r"прост[ии]те|ik (?:begrijp|snap|hoor)|geen probleem|bedankt|dank je|rozumiem|dziękuję|"
    r"nie ma problemu)"
    r"|[,.!、，。！ ]{1,3}(?:我(?:完全|很|能|可以|也)?(?:明白|理解|知道|懂|了解|听到)|谢谢|"
    r"謝謝|没问题|沒問題|没关系|抱歉|"
    r"对不起|[^。！\n]{0,24}(?:わかります|分かります|わかりました|分かりました|理解(?:して|"
    r"でき|しま)|承知|了解)|ありがとう|"
    r"すみません|申し訳|大丈夫です|問題ありません|[^.。\n]{0,24}(?:이해합니다|이해해요|"
    r"알겠습니다|알겠어요)|감사합니다|괜찮습니다|"
    r"문제없|죄송)"
)
"""What makes a yes or no before it an answer to the reader, in many languages."""
AFFIRMS_IT = re.compile(
    _IT + r"(?:stimmt(?: (?:so|schon|ja))?|ist (?:ja |doch )?(?:wahr|richtig|korrekt)|c'est "
    r"(?:vrai|juste|exact|correct)|est (?:vrai|vraie)|es (?:verdad|cierto|correcto)|(?:é|está) "
    r"(?:verdade|certo|corret[oa])|è (?:vero|corretto|giusto)|это (?:так|верно|правда|правильно)|"
    r"klopt|is juist|是?(?:对的?|對的?|正确的?|正確的?|真的)|正しい(?:です)?|"
    r"사실(?:입니다|이다|이에요)|맞(?:습니다|아요|다))" + _CLAUSE_ENDS
)
TURNED = re.compile(r"[ ,]*(?:que|che|dass|that|что) (?:no|non|não|nicht|not|нет|не)[ .!]*(?:\n|$)")


def is_of_another(text: str, start: int, end: int) -> bool:
    """Whether a verdict is said of a verdict, as in `it is a common myth that this is false`.

    Args:
        text: The folded text.
        start: Where the words of the verdict start.
        end: Where they end.

    Returns:
        True where the verdict governs a second one or stands under one.
    """
    before = text[max(0, start - _REACH) : start]
    return bool(
        _OF_A_VERDICT.match(text, end)
        or _OF_BELIEVERS.match(text, end)
        or _UNDER_A_VERDICT.search(before)
        or _CALLED.search(before)
    )
