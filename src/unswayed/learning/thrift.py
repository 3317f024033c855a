"""What makes a step on the processor cheap, without a change of what is learned.

Frozen weights are cast to 16 bits once and not at every use, and the vocabulary is scored only
where a completion stands, not at every token of the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from unswayed.learning.network import Network


class Halves:
    """The frozen weights that adapters stand on, in 16 bits while trainers run.

    Autocast multiplies in 16 bits anyway, and would cast frozen weights anew at every use.

    Args:
        network: A network with adapters.
        wanted: Whether the processor multiplies 16-bit matrices; otherwise nothing is ever changed.
    """

    def __init__(self, network: Network, *, wanted: bool) -> None:
        import torch

        self._frozen = [
            (parameter, parameter.data, parameter.data.to(torch.bfloat16))
            for name, parameter in network.named_parameters()
            if wanted and not parameter.requires_grad and name.endswith(".base_layer.weight")
        ]

    @contextmanager
    def put(self) -> Iterator[None]:
        """Put the halves in; the network has its own weights again at the end."""
        for parameter, _, half in self._frozen:
            parameter.data = half
        try:
            yield
        finally:
            for parameter, own, _ in self._frozen:
                parameter.data = own

    @contextmanager
    def taken_out(self) -> Iterator[None]:
        """Give the network its own weights for a look at it."""
        for parameter, own, _ in self._frozen:
            parameter.data = own
        try:
            yield
        finally:
            for parameter, _, half in self._frozen:
                parameter.data = half


def completion_loss(model: Network, inputs: dict[str, Any]) -> Any:  # noqa: ANN401 - a tensor
    """Return the mean cross-entropy of the tokens that have a label.

    Args:
        model: A causal language model; rows are padded on the right.
        inputs: A batch with labels, -100 where nothing is learned.
    """
    import torch

    shifted = inputs["labels"][:, 1:]
    learned = shifted != -100
    places = learned.any(0).nonzero()[:, 0]
    given = {name: inputs[name] for name in ("input_ids", "attention_mask")}
    logits = model(**given, use_cache=False, logits_to_keep=places).logits
    kept = learned[:, places]
    return torch.nn.functional.cross_entropy(logits[kept].float(), shifted[:, places][kept])


def thrifty(trainer: type) -> type:
    """Return TRL's supervised trainer with the loss of `completion_loss`."""

    class Thrifty(trainer):  # type: ignore[misc, valid-type, unused-ignore]
        """Scores the vocabulary where a completion stands, and nowhere else."""

        def compute_loss(self, model: Any, inputs: dict[str, Any], **_: object) -> Any:  # noqa: ANN401
            return completion_loss(model, inputs)

    return Thrifty
