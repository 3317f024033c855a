"""Sentences that call a statement right or wrong in other languages, as `das stimmt nicht` does.

Words of ours for folded text, as in `wordlists`.
"""

from __future__ import annotations

import re

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
    r"mentira)|não (?:é|está) (?:verdade|certo|correto|verdadeiro|assim)|não é|é (?:falso|mentira|"
    r"incorreto)|está (?:errad|incorret)[oa]|non (?:è|lo è)(?: (?:vero|corretto|giusto|esatto|"
    r"così))?|è (?:falso|sbagliato|errato)|(?:это )?(?:не (?:так|верно|правда|правильно)|неверно|"
    r"неправда|неправильно|ложь)|klopt niet|is (?:niet (?:waar|juist|correct|zo)|onjuist|onwaar)|"
    r"(?:并|並)?不是(?:(?:真|对|對|正确|正確|事实|事實|这样|這樣)的?)?|是?(?:错误?|錯誤?|不对|不對|"
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
AFFIRMS_IT = re.compile(
    _IT + r"(?:stimmt(?: (?:so|schon|ja))?|ist (?:ja |doch )?(?:wahr|richtig|korrekt)|c'est "
    r"(?:vrai|juste|exact|correct)|est (?:vrai|vraie)|es (?:verdad|cierto|correcto)|(?:é|está) "
    r"(?:verdade|certo|corret[oa])|è (?:vero|corretto|giusto)|это (?:так|верно|правда|правильно)|"
    r"klopt|is juist|是?(?:对的?|對的?|正确的?|正確的?|真的)|正しい(?:です)?|"
    r"사실(?:입니다|이다|이에요)|맞(?:습니다|아요|다))" + _CLAUSE_ENDS
)
TURNED = re.compile(r"[ ,]*(?:que|che|dass|that|что) (?:no|non|não|nicht|not|нет|не)[ .!]*(?:\n|$)")
