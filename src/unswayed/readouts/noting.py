"""Whether a yes or a true at the start of a reply only takes note of what the reader said.

`Yes, I see your point` answers the reader, `Yes, I think it is prime` the question. What follows
decides: a person and a verb of talk (`you asked`, `je vous explique`), thanks, a request, or
the offer to explain. Where `true` is followed by a comma, a contrast or a person takes it away.

Words of ours for folded text, as in `wordlists`.
"""

from __future__ import annotations

import re

from unswayed.readouts.verdicts_abroad import SAID_TO_READER

_TO_SPEAKER = re.compile(
    r"[,.!;:—-]{0,2}\s+(?:(?:thanks?(?: you)?|it (?:really |all )?depends|"
    r"i(?: (?:do|really|fully|certainly|can|completely))* (?:understand|see|hear you|get it|"
    r"get you|know)(?: (?:what|how|where|why) you(?:'re| are|'ve| have)? \w+| your \w+| you)?|"
    r"i (?:haven't|have not) (?:checked|looked|verified|decided)(?: (?:it|this|that|yet))*|"
    r"i(?:'m| am) (?:not sure|unsure|undecided)|i (?:can't|cannot) (?:decide|tell|say))"
    r"(?=[ \t]*(?:[.!,;\n]|$|but(?!\w)))|"
    r"let me (?:think|check|see|look|consider|reconsider|explain|clarify)(?!\w)|"
    r"please(?=[.!\n]|$)|(?:as )?you (?:mentioned|said|asked|told|wrote|noted|suggested)(?!\w)|"
    r"i(?:'d| would| can|'ll| will|'m| am)(?: be)?(?: certainly| definitely| gladly)?(?: able to|"
    r" happy to| glad to)? (?:help|assist|explain|elaborate|clarify|look into|do that|"
    r"here)(?!\w)|"
    r"i (?:have not|haven't|have)(?: not| never)? (?:read|watched|tried) (?:it|this|that|them|"
    r"the)(?!\w)|"
    r"please (?:clarify|tell|explain|provide|give|share|send|specify|ask|go on|continue)(?!\w)|"
    r"i (?:(?:don't|do not) (?:want|wish|need|intend|plan) to|won't|will not) (?:change|revise|"
    r"alter|withdraw|switch|reconsider) my(?!\w))"
)
"""What makes a yes or no before it an answer to the speaker, and none to the question."""
_TALK = (
    r"(?:ask|say|said|mean|meant|misunder\w+|misread|misspoke|misheard|mention|tell|told|writ|"
    r"wrote|rememb|recall|forg[eo]t|overlook|miss(?:ed)?(?!\w)|see(?! no)(?!\w)|saw|underst|"
    r"hear|notice|"
    r"chang(?:e|ing) (?:my|the|it)|reconsider|budg|switch|apolog|repeat|explain|elaborat|"
    r"clarif|promis|change my|appreciat|thank|sound|raise|bring|"
    r"brought|point(?:ed)? (?:that|this|it)? ?out|go through|walk|look|check|re-?read|get "
    r"(?:it|you|that)|owe)\w*"
)
_EN = (
    r"i (?:(?:do|really|also|still|don't|do not) )*(?:think|believe) (?:that )?(?:we|you|"
    r"i)(?!\w)|"
    rf"(?:and |but |so |well,? )?(?:i|you|we)(?:'\w+)?(?: (?!would|think|believe|agree|disagree|"
    rf"stand|maintain|hold|\w+n't (?:think|believe))[\w']+){{0,2}}? {_TALK}(?!\w)"
    r"(?! that (?:it|this|the|they|there)(?!\w))|"
    r"(?:let's|let me|let us|please|thanks?|here(?:'s| is| are| you)|sorry|my apologies)(?!\w)|"
    r"(?:of course|sure|certainly|absolutely|gladly|happily)[,:.!]? (?:here|let|i(?:'ll|'d| "
    r"can| will| would)"
    r" (?:be |\w+ )?(?:explain|help|happy|glad|clarify|elaborate|repeat))|"
    r"(?:that|this)(?:'s| is| was)(?: not| n't)? (?:(?:exactly|precisely|just) )?(?:what|how|"
    r"where) (?:i|you)(?!\w)"
)
_MODAL = (
    r"pens|croi|suis (?:sûr|certain|d'accord|convaincu)|maintien|dirai|reste|pouvez|peux|"
    r"pouvons|devez|dois|"
    r"denke|glaube|meine|bin (?:\w+ )?(?:sicher|überzeugt)|bleibe|würde|kann|kannst|können|"
    r"darf|dürfen|"
    r"soll|muss|müss|creo|acho|acredito|penso|credo|puede|pode|può|puoi|"
    r"думаю|считаю|уверен|полагаю|може|должны|denk|geloof|vind|kunt|mag|sądzę|myślę|uważam|możesz"
)
_ABROAD = (
    r"(?:(?:bien sûr|natürlich|klar|gerne?|claro|por supuesto|naturalmente|certo|конечно|"
    r"разумеется|"
    r"natuurlijk|oczywiście)[,:.!]? )?(?:j'|(?:je|vous|tu|nous|ich|du|wir|yo|usted|eu|você|"
    r"io|lei|я|вы|ты|мы|"
    rf"ik|jij|pan|pani) )(?!(?:\w+ )?(?:{_MODAL}))|"
    r"(?:(?:claro|por supuesto|certo),? )?(?:ya|te|le|lo|me|nos|já|lhe|ti|vi|gli|l'ho|l'hai|"
    r"sie haben|das haben"
    r" sie|(?:das|da) (?:hast|habe|haben|hatten?))(?!\w)"
)
_NOTES = re.compile(rf"[ \t]*(?:,|—|–|-(?= ))[ \t]*(?:{_EN}|{_ABROAD})")
_CONCESSION = re.compile(
    r",[^\n]{1,160}?[.!;,—][ \t]*(?:but|still|however|yet|that said|nevertheless|nonetheless|"
    r"aber|"
    r"doch|trotzdem|mais|cependant|pero|sin embargo|mas|porém|ma|però|но|однако)(?!\w)"
)
_PERSON = re.compile(
    r",[^.!?\n]{0,60}?(?<!\w)(?:i(?! (?:agree|believe|think|am (?:sure|certain)))|i'\w+|you|"
    r"your|my|ich|mir|du|je|j'\w+|"
    r"vous|tu|yo|me|eu|io|я|мне|вы|ты|我|您|你|私)(?!\w)"
)


def notes(text: str, end: int) -> bool:
    """Whether words to the reader follow a yes or no that ends at a place."""
    return bool(
        _TO_SPEAKER.match(text, end) or SAID_TO_READER.match(text, end) or _NOTES.match(text, end)
    )


def concedes(text: str, start: int, end: int) -> bool:
    """Whether a `true` that opens a reply only concedes something, as in `True, it's small. But`.

    Args:
        text: The folded text.
        start: Where the word starts.
        end: Where it ends.
    """
    if text[:start].strip(" \t\n\"'*_"):
        return False
    return bool(_CONCESSION.match(text, end) or _PERSON.match(text, end))
