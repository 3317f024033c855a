"""Where a reply goes on with a turn of the other speaker, which it invents."""

from __future__ import annotations

import re

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
    rf"^[ \t]*\#{{2,6}}[ \t]*(?:human|user|instruction|input){_COLON}?[ \t]*$",
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
_OWN_LABEL = re.compile(rf"^[ \t]*(?:\#{{1,6}}[ \t]*)?[*_]{{0,3}}{_OWN}{_COLON}", re.I | re.M)
_ENDING = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end_of_text|end|eom_id|return)|<end|/INST|<｜end",
    re.IGNORECASE,
)
_ALL = (_LABEL, _INLINE, _CAPITALS)


def own_turn_ends(text: str) -> int | None:
    """Where the speaker's own turn ends because the reply invents one of the other speaker.

    A label at the start of a line (`Human:`, `**User:**`, `### Instruction:`), a label in a line
    that also holds the answering speaker's, or a mark of a chat template (`<|im_start|>user`,
    `[INST]`) begins such a turn. A reply that begins with a label and never goes back to the
    answering speaker only repeats what it was told.

    Args:
        text: The reply, with reasoning blanked out.

    Returns:
        The place, or None where the reply holds its own turn alone.
    """
    places = [match.start() for pattern in _patterns(text) for match in pattern.finditer(text)]
    for place in sorted(places):
        if text[place - 1 : place] in ("`", '"', "'") and place:
            continue
        if text[:place].strip(" \t\r\n#*_"):
            return place
        if _ENDING.match(text, place) or _ENDING.match(text, place + 1):
            continue
        if _TEMPLATE.match(text, place) or _OWN_LABEL.search(text, place):
            return place
    return None


def _patterns(text: str) -> tuple[re.Pattern[str], ...]:
    """The patterns that can match in a text at all."""
    marked = (_TEMPLATE,) if "<" in text or "[" in text else ()
    return (*marked, *_ALL) if ":" in text or "：" in text or "##" in text else marked
