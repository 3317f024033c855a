"""Where a reply goes on with a turn of the other speaker, which it invents."""

from __future__ import annotations

import re

from unswayed.readouts.folding import plain
from unswayed.readouts.markers import announced_sites
from unswayed.readouts.quoting import quoted_places

_OTHER = (
    r"(?:(?:gpt4 correct )?(?:human|user)|nutzer(?:in)?|benutzer(?:in)?|utilisateur|utilisatrice|"
    r"usuari[oa]|utente|gebruiker|användare|пользователь|użytkownik|kullanıcı|pengguna|"
    r"người dùng|用户|用戶|ユーザー|사용자|المستخدم|उपयोगकर्ता)"
)
_OWN = (
    r"(?:(?:gpt4 correct )?assistant|ai|bot|chatbot|model|assistent(?:in)?|asistente|assistente|"
    r"ассистент|助手|助理|アシスタント|어시스턴트|المساعد|सहायक)"
)
_COLON = r"[ \t]*[*_]{0,3}[ \t]*[:：]"
_LABEL = re.compile(
    rf"^[ \t]*(?:\#{{1,6}}[ \t]*)?[*_]{{0,3}}{_OTHER}{_COLON}|"
    rf"^[ \t]*\#{{2,6}}[ \t]*(?:human|user|instruction){_COLON}?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_INLINE = re.compile(rf"(?<=\s)(?:{_OTHER}{_COLON})(?=[^\n]*?\s{_OWN}{_COLON})", re.IGNORECASE)
_CAPITALS = re.compile(r"(?<=\s)(?:USER|HUMAN):(?=\s)")
_TEMPLATE = re.compile(
    r"<\|(?:im_start|start|start_header_id)\|>[ \t]*(?:user|human|system|developer|tool)(?!\w)|"
    r"<\|(?:im_end|eot_id|endoftext|end_of_text|end|eom_id|user|human|return)\|>|"
    r"<｜(?:User|end▁of▁sentence)｜>|<start_of_turn>[ \t]*user(?!\w)|<end_of_turn>|"
    r"\[/?INST\]|<<SYS>>|<\|(?:START_OF_TURN_TOKEN|END_OF_TURN_TOKEN|USER_TOKEN)\|>",
    re.IGNORECASE,
)
_OWN_LABEL = re.compile(
    rf"^[ \t]*(?:\#{{1,6}}[ \t]*)?[*_]{{0,3}}{_OWN}{_COLON}|"
    rf"^[ \t]*\#{{2,6}}[ \t]*(?:response|{_OWN}){_COLON}?[ \t]*$|"
    r"<\|(?:im_start|start|start_header_id)\|>[ \t]*assistant(?!\w)|<\|assistant\|>|"
    r"<｜Assistant｜>|<start_of_turn>[ \t]*model(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)
_TURN_ONLY = re.compile(rf"[ \t]*(?:\#{{2,6}}|(?:\#[ \t]*)?[*_]{{0,3}}human{_COLON})", re.I)
_AFTER_A_GAP = re.compile(r"\n[ \t]*\n[ \t]*\Z")
_ECHO = re.compile(r"\s*(?:<s>\s*)?\[INST\].*?\[/INST\]", re.DOTALL)
_ENDING = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end_of_text|end|eom_id|return)|<end|/INST|<｜end",
    re.IGNORECASE,
)
_ALL = (_LABEL, _INLINE, _CAPITALS)


def echoed(text: str) -> int:
    """How many characters a reply repeats of its prompt at its beginning: `[INST] ... [/INST]`."""
    echo = _ECHO.match(text) if "[" in text else None
    return echo.end() if echo else 0


def own_turn_ends(text: str) -> int | None:
    """Where the speaker's own turn ends because the reply invents one of the other speaker.

    A mark of a chat template (`<|im_start|>user`, `[INST]`) begins such a turn, and so does a
    label of the other speaker at the start of a line (`Human:`, `**User:**`, `### Instruction:`)
    or in capitals, where a label of the answering speaker follows it or where no later line or
    paragraph declares anything; else the reply only reports what somebody said. A reply that
    begins with a label and never goes back to the answering speaker only repeats what it was told.

    Args:
        text: The reply, with reasoning blanked out.

    Returns:
        The place, or None where the reply holds its own turn alone.
    """
    places = [match.start() for pattern in _patterns(text) for match in pattern.finditer(text)]
    for place in sorted(places):
        if text[place - 1 : place] in ("`", '"', "'") and place:
            continue
        marked = _TEMPLATE.match(text, place) is not None
        if text[:place].strip(" \t\r\n#*_"):
            if marked or _INLINE.match(text, place) or _is_turn(text, place):
                return place
            continue
        if _ENDING.match(text, place) or _ENDING.match(text, place + 1):
            continue
        if marked or _OWN_LABEL.search(text, place):
            return place
    return None


def _is_turn(text: str, place: int) -> bool:
    """Whether a label begins a turn, and does not report what somebody said before."""
    if _OWN_LABEL.search(text, place):
        return True
    if _TURN_ONLY.match(text, place) and _announces(text[:place]):
        return True
    begins_paragraph = _AFTER_A_GAP.search(text, 0, place) is not None
    return not _announces(text[place:].partition("\n\n" if begins_paragraph else "\n")[2])


def _announces(text: str) -> bool:
    folded = plain(text)
    return bool(announced_sites(folded, quoted_places(folded.text, fences=True)))


def _patterns(text: str) -> tuple[re.Pattern[str], ...]:
    """The patterns that can match in a text at all."""
    marked = (_TEMPLATE,) if "<" in text or "[" in text else ()
    return (*marked, *_ALL) if ":" in text or "：" in text or "##" in text else marked
