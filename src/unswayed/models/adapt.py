"""What a chat endpoint can take, and how a transcript is made to fit without a silent change.

Only one change is ever made: a leading system message is put in front of the first user turn, and
the change has a label that becomes part of the model's identity. Everything else that an endpoint
cannot take is refused before anything is spent, in every arm alike, because merging or dropping
turns would make pressured and control transcripts differ in more than the pressure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from unswayed.errors import CapabilityError
from unswayed.models.protocol import Model
from unswayed.transcript import Transcript

FOLDED = "system folded into first user turn"
"""Label of the one change that `adapt` makes."""
UNCHANGED = ""
"""Label of a transcript that is sent as it was planned."""
FOLD_BREAK = "\n\n"
"""What stands between a folded system text and the user's text."""


class ChatSupport(msgspec.Struct, frozen=True, kw_only=True):
    """What shapes of conversation an endpoint takes."""

    system: bool = True
    """Whether it takes a message with the system role."""
    alternation: bool = False
    """Whether it demands that user and assistant alternate, beginning with the user."""
    assistant_last: bool = False
    """Whether it takes a transcript that ends with the assistant's words and continues them."""


@runtime_checkable
class HasChat(Protocol):
    """A model that knows what shapes it takes."""

    @property
    def chat(self) -> ChatSupport:
        """What shapes it takes."""
        ...


def shape(transcript: Transcript) -> tuple[str, ...]:
    """Return the roles of a transcript in order; pending replies count as what they become."""
    return tuple([message.role for message in transcript.messages])


def adapt(
    messages: Sequence[dict[str, str]], chat: ChatSupport
) -> tuple[list[dict[str, str]], str]:
    """Make wire messages fit an endpoint and say what was changed.

    Args:
        messages: Role and content, from `Transcript.to_wire()`.
        chat: What the endpoint takes.

    Returns:
        The messages to send and a label of the change; the label is empty when they are the same.

    Raises:
        CapabilityError: When they cannot fit without changing what is measured.
    """
    roles = tuple(message["role"] for message in messages)
    _refuse(roles, chat)
    if chat.system or "system" not in roles:
        return [dict(message) for message in messages], UNCHANGED
    n_system = _leading_systems(roles)
    texts = [message["content"] for message in messages[:n_system]]
    first_user = messages[n_system]
    folded = FOLD_BREAK.join((*texts, first_user["content"]))
    rest = [dict(message) for message in messages[n_system + 1 :]]
    return [{"role": "user", "content": folded}, *rest], FOLDED


def check_chat(model: Model, shapes: Iterable[Sequence[str]]) -> frozenset[str]:
    """Decide before a run whether a model can take every shape of a plan.

    Args:
        model: The model; one that states no `chat` takes every shape.
        shapes: The distinct role sequences of the plan, see `shape`.

    Returns:
        The labels of the changes that will be made; empty when none is.

    Raises:
        CapabilityError: When a shape cannot be taken; nothing has been sent then.
    """
    chat = model.chat if isinstance(model, HasChat) else ChatSupport(assistant_last=True)
    labels: set[str] = set()
    for roles in sorted({tuple(roles) for roles in shapes}):
        _refuse(roles, chat)
        if not chat.system and "system" in roles:
            labels.add(FOLDED)
    return frozenset(labels)


def _leading_systems(roles: Sequence[str]) -> int:
    count = 0
    while count < len(roles) and roles[count] == "system":
        count += 1
    return count


def _refuse(roles: Sequence[str], chat: ChatSupport) -> None:
    problem = _problem(roles, chat)
    if problem is None:
        return
    wrong, allowed, next_step = problem
    raise CapabilityError(
        wrong, allowed=allowed, given=" > ".join(roles) or "no messages", next_step=next_step
    )


def _problem(roles: Sequence[str], chat: ChatSupport) -> tuple[str, str, str] | None:
    if not roles or set(roles) == {"system"}:
        return (
            "A transcript without a user or assistant turn cannot be sent",
            "at least one user turn",
            "give the condition a user turn",
        )
    spoken = roles[_leading_systems(roles) :]
    if not chat.system and "system" in roles and (spoken[0] != "user" or "system" in spoken):
        return (
            "This endpoint takes no system message, and folding it would move it",
            "system messages before a first user turn, which can be folded into that turn",
            "put the text into a user turn in the plan, or use an endpoint with a system role",
        )
    if chat.alternation and not _alternates(spoken):
        return (
            "This endpoint demands that user and assistant turns alternate",
            "user, assistant, user, ... after any leading system message",
            "plan a reply between the user turns, or one user turn that holds both texts",
        )
    if roles[-1] == "assistant" and not chat.assistant_last:
        return (
            "This endpoint does not continue a transcript that ends with the assistant's words",
            "a last turn by the user",
            "end the condition with a user turn; if `unswayed doctor` shows that the endpoint "
            "continues such a transcript, set assistant_last = true for it",
        )
    return None


def _alternates(roles: Sequence[str]) -> bool:
    return all(
        role == ("user" if index % 2 == 0 else "assistant") for index, role in enumerate(roles)
    )
