"""Words and signs behind a number that multiply it: `million`, `Mio.`, `lakh`, `万`."""

from __future__ import annotations

import re
from fractions import Fraction

from unswayed.readouts.wordlists import words_in

_WORDS = {
    12: "dozen dozens",
    10**2: "hundred hundreds hundert cientos honderd सौ",
    10**3: "thousand thousands tausend tsd mila duizend tusen тысяча тысячи тысяч тыс tysiąc "
    "tysiące tysięcy tys ribu nghìn ngàn हजार हज़ार الف الاف",
    10**5: "lakh lakhs लाख",
    10**6: "million millions millionen mio millón millones milhão milhões milione milioni miljoen "
    "miljon miljoner миллион миллиона миллионов млн milion miliony milionów milyon juta triệu "
    "mln मिलियन مليون ملايين",
    10**7: "crore crores करोड़",
    10
    ** 9: "billion milliard milliarde milliarden milliards mrd miliard miliardy miliardów miliardi "
    "miljard miljarder миллиард миллиарда миллиардов млрд milyar miliar مليار",
    10**12: "trillion billionen billones",
}
SCALES = {word: scale for scale, words in _WORDS.items() for word in words_in(words)}
"""Words that multiply the number before them."""

_SIGNS = {
    "十": 10, "百": 10**2, "千": 10**3, "万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8,
    "십": 10, "백": 10**2, "천": 10**3, "만": 10**4, "억": 10**8,
}  # fmt: skip
_WORD = re.compile(
    rf"[ -]?(?P<word>{'|'.join(sorted(map(re.escape, SCALES), key=len, reverse=True))})(?![^\W_])"
)
_SIGN = re.compile(rf" ?(?P<sign>[{''.join(_SIGNS)}])(?![克米瓦焦卡赫帕伏安字比分])")
_EITHER = re.compile(
    r" ?兆(?![瓦赫帕焦字])|[ -]?(?:mil|mill|bn|tn|billions|trillions|bill[oó]n|trill[oó]n|"
    r"trillones|trillionen|(?:b|tr)ilh(?:ão|ões)|(?:b|tr)ili(?:ão|ões)|(?:b|tr)ilion[ei]|(?:b|tr)illioner|"
    r"(?:b|tr)il(?:joen|jon|joner)|(?:b|tr)illi?ard(?:s|en|er)?|billardos?|"
    r"(?:quadr|quint|sext)illi(?:on(?:s|en)?|ard(?:s|en|e)?))(?![^\W_])"
)
"""What multiplies by one number in one country and by another elsewhere, or is a unit as well."""
_MOST = 3


def multiplied(text: str, value: Fraction, end: int) -> tuple[Fraction | None, int]:
    """Take in the words or signs that multiply a number, as in `5 hundred thousand` or `3千万`.

    Args:
        text: The folded text.
        value: The number.
        end: Where it ends.

    Returns:
        The product, or None where a word is not the same number everywhere; and where it ends.
    """
    for _ in range(_MOST):
        word, sign = _WORD.match(text, end), _SIGN.match(text, end)
        if word is not None:
            value, end = value * SCALES[word["word"]], word.end()
        elif sign is not None:
            value, end = value * _SIGNS[sign["sign"]], sign.end()
        else:
            break
    return (None if _EITHER.match(text, end) else value), end
