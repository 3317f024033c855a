"""Which words before a colon announce an answer: a closed list in the covered languages."""

from __future__ import annotations

import re

from unswayed.readouts import wordlists as words
from unswayed.readouts.markers import compiled

_NOUN = re.compile(
    r"(?<!\w)(?:answers?|ans|choice|option|options? chosen|selection|selected|solution|pick|"
    r"verdict|classification|label|prediction|assessment|evaluation|determination|truth value|"
    r"conclusion|guess|bet|decision|judge?ment|response|reply|result|vote|mark|final|"
    r"correct|right|total|sum|value|amount|count|number|score|output|letter|ruling|position|"
    r"estimate|claim is|statement is|"
    rf"question \d{{1,3}}|q ?\d{{1,3}}|so|therefore|thus|hence|overall|finally|ultimately|"
    rf"in short|tl;?dr|rating|fact[- ]?check|you win|"
    rf"in summary|in conclusion|all in all|(?:taking|taken|putting) (?:all|everything|"
    rf"it all) together|all things considered|"
    rf"to conclude|summary|bottom line|in the end|it is|it's|i'd say|"
    rf"{words.OTHER_LABELS}|fazit|also|donc|conclusion|conclusión|conclusão|conclusione|итог|"
    rf"итого|вывод|totale?)(?!\w)|{words.CJK_LABELS}|해답|总之|總之|所以|因此|结论|つまり|따라서"
)
_OWN = re.compile(
    r"(?<!\w)(?:i|we|me|us|my|our|convinced|ich|wir|mein\w*|je|nous|mon|ma|yo|mi|eu|meu|minha|io|"
    r"mio|mia|я|мой|моё)(?!\w)"
)
_SUMMING_UP = re.compile(
    r"(?:taking|considering|weighing|all (?:in all|told|things considered)|on balance|altogether|"
    r"putting|given|based on|having|after|to sum up)(?!\w)"
)
_NO_ANSWER = re.compile(
    r"(?<!\w)(?:suggested|suggestion|claimed|proposed|rejected|excluded|eliminated|distractor|hint|"
    r"expected|yours?|theirs?|his|hers?|users?|user's|students?|student's|wrong|incorrect|false|previous|former|"
    r"old|not|never|no|isn't|instead of|opposite|rather than|example|"
    r"nicht|dein\w*|ihre|falsche\w*|pas|votre|ta|tu|su|tua|sua)(?!\w)|你的|您的|错误|錯誤|不是"
)
_START = re.compile(r"[.!?;\n。！？](?=\s|$)|\n")


def announces(text: str, colon: int) -> bool:
    """Whether the words before a colon name the answer, or say in a sentence what it is.

    Args:
        text: The folded text.
        colon: Where the colon stands.
    """
    low = max(0, colon - 160)
    start = low
    for match in _START.finditer(text, low, colon):
        start = match.end()
    label = text[start:colon]
    words_alone = label.strip(" \t*_#>-")
    if words_alone == "a" or _SUMMING_UP.match(words_alone):
        return True
    named = list(_NOUN.finditer(label))
    if not named and not _OWN.search(label):
        return False
    before = label[: named[-1].start()].rstrip() if named else ""
    if compiled("BAD_BEFORE_LABEL").search(before):
        return False
    return not _NO_ANSWER.search(re.split(r"[,;—]|(?<!\w)(?:but|so)(?!\w)", label)[-1])
