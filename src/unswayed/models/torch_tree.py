"""A network of transformers that computes the nodes of a token tree in one step.

Who sees whom is an attention mask, places are position ids, and what later nodes may see is the
key-value cache. Architectures that read either in another way are found out when they are loaded:
two branches of a small tree are scored, and each alone.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from transformers import AutoModelForCausalLM, DynamicCache
from transformers.utils import logging

from unswayed.errors import CapabilityError, ModelError
from unswayed.models.gguf import Floats
from unswayed.models.nodes import Ids, Nodes
from unswayed.models.trees import Scored, score_tree
from unswayed.plans.sampling import Sampling

FEWEST, MOST_ON_CPU, MOST_ON_GPU = 32, 256, 4096
"""Nodes computed at once: a processor gains nothing from more, a graphics processor does."""

PART_OF_MEMORY: Final = 0.25
"""Share of the free memory that one step may take."""

TOLERANCE: Final = {"float32": 1e-3, "bfloat16": 0.25, "float16": 0.05}
"""Most by which a branch of the tree may differ from the same tokens alone, by number format."""


class TorchMemory:
    """The key-value cache of a tree: one path and one chunk."""

    def __init__(self) -> None:
        self.cache = DynamicCache()

    @property
    def length(self) -> int:
        """How many nodes there are."""
        return int(self.cache.get_seq_length())

    def keep(self, rows: Ids) -> None:
        """Forget every node but these, and move them to the front in this order."""
        for layer in self.cache.layers:
            chosen = torch.from_numpy(rows).to(layer.keys.device)
            layer.keys = layer.keys.index_select(-2, chosen)
            layer.values = layer.values.index_select(-2, chosen)


class TorchNetwork:
    """A causal language model of transformers.

    Args:
        network: The model, ready to be asked.

    Raises:
        CapabilityError: When it cannot score trees.
    """

    def __init__(self, network: Any) -> None:  # noqa: ANN401
        self.network = network.eval()
        self._check_tree()

    @classmethod
    def load(cls, folder: Path, dtype: str) -> TorchNetwork:
        """Load a folder on the graphics processor where there is one."""
        logging.disable_progress_bar()
        network = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, dtype=getattr(torch, dtype)
        )
        return cls(network.to("cuda" if torch.cuda.is_available() else "cpu"))

    def remember(self, capacity: int) -> TorchMemory:
        """Return an empty memory; it grows by itself."""
        return TorchMemory()

    def score(self, memory: TorchMemory, nodes: Nodes, rows: Ids, tokens: Ids) -> Floats:
        """Compute new nodes, and return log p(token | path) for pairs of a node and a token.

        Args:
            memory: What the new nodes may look at; grows by the new nodes.
            nodes: The new nodes.
            rows: The node of each pair, in rising order.
            tokens: The next token of each pair.
        """
        device, dtype = self.network.device, self.network.dtype
        visible = torch.from_numpy(nodes.visible).to(device)
        hidden = torch.finfo(dtype).min
        barrier = torch.zeros(visible.shape, dtype=dtype, device=device)
        needed, places = np.unique(rows, return_inverse=True)
        with torch.inference_mode():
            logits = self.network(
                input_ids=torch.from_numpy(nodes.tokens)[None].to(device),
                position_ids=torch.from_numpy(nodes.depths)[None].to(device),
                attention_mask=barrier.masked_fill_(~visible, hidden)[None, None],
                cache=memory.cache,
                use_cache=True,
                logits_to_keep=torch.from_numpy(needed).to(device),
            ).logits[0]
            chosen = torch.from_numpy(places).to(device), torch.from_numpy(tokens).to(device)
            found: Floats = logits.float().log_softmax(dim=-1)[chosen].cpu().numpy()
        return found

    def nodes_at_once(self) -> int:
        """Return how many nodes one step may compute in the memory that is free now."""
        config = self.network.config.get_text_config()
        width = torch.finfo(self.network.dtype).bits // 8
        on_gpu = self.network.device.type == "cuda"
        inside = 3 * config.intermediate_size + 8 * config.hidden_size
        layers = 2 * config.num_hidden_layers * config.hidden_size
        fixed = 8 * config.vocab_size + width * (inside + layers)
        room = PART_OF_MEMORY * _free_bytes(on_gpu)
        count = MOST_ON_GPU if on_gpu else MOST_ON_CPU
        seen = config.max_position_embeddings + count
        while count > FEWEST and count * (fixed + 4 * config.num_attention_heads * seen) > room:
            count //= 2
        return count

    def write(
        self, prompt: list[int], sampling: Sampling, *, draw: int, most: int, ends: list[int]
    ) -> list[int]:
        """Return the tokens that follow a prompt, the one that ends the turn among them.

        Args:
            prompt: Token ids.
            sampling: How to draw; temperature 0 or none takes the likeliest token.
            draw: Number in the sequence of draws; added to the seed.
            most: Most tokens written.
            ends: Tokens that end the turn.
        """
        ids = torch.tensor([prompt], device=self.network.device)
        how: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None}
        if sampling.temperature:
            top = 1.0 if sampling.top_p is None else sampling.top_p
            how = {"do_sample": True, "temperature": sampling.temperature, "top_p": top}
        with torch.inference_mode(), torch.random.fork_rng():
            torch.manual_seed((sampling.seed or 0) + draw)
            written = self.network.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=most,
                eos_token_id=ends or None,
                pad_token_id=ends[0] if ends else 0,
                top_k=None,
                **how,
            )
        return [int(token) for token in written[0, len(prompt) :]]

    def check_length(self, n_tokens: int) -> None:
        """Refuse what is longer than the model was made for.

        Raises:
            ModelError: Naming both lengths.
        """
        most = self.network.config.get_text_config().max_position_embeddings
        if n_tokens > most:
            raise ModelError(
                "the request is longer than the model's context",
                allowed=f"at most {most} tokens",
                given=f"{n_tokens} tokens",
                next_step="shorten the conversation or max_tokens",
            )

    def _check_tree(self) -> None:
        low, high = (0, min(self.network.config.get_text_config().vocab_size, 64))
        made = np.random.default_rng(0).integers(low, high, (2, 6))
        shared = tuple(int(token) for token in made[0])
        branches = [
            (*shared, *(int(t) for t in made[1, :3])),
            (*shared, *(int(t) for t in made[1])),
        ]
        asked = [Scored(tokens=branch, start=len(shared)) for branch in branches]
        asked.append(Scored(tokens=(*shared, int(made[1, 5]), int(made[1, 4])), start=len(shared)))
        try:
            found, _ = score_tree(self, asked, chunk=7)
            alone = [self._score_alone(scored) for scored in asked]
        except (TypeError, ValueError, RuntimeError, AttributeError, IndexError) as error:
            raise self._refused(f"{type(error).__name__}: {error}") from error
        worst = max(float(np.abs(a - b).max()) for a, b in zip(found, alone, strict=True))
        if not worst <= TOLERANCE[str(self.network.dtype).removeprefix("torch.")]:
            raise self._refused(f"a branch differs by {worst:.3g} from the same tokens alone")

    def _score_alone(self, scored: Scored) -> Floats:
        ids = torch.tensor([scored.tokens], device=self.network.device)
        nexts = ids[0, scored.start :]
        with torch.inference_mode():
            logits = self.network(input_ids=ids).logits[0, scored.start - 1 : -1].float()
            found: Floats = logits.log_softmax(-1)[torch.arange(len(nexts)), nexts].cpu().numpy()
        return found

    def _refused(self, given: str) -> CapabilityError:
        kind = self.network.config.model_type
        return CapabilityError(
            f"The architecture {kind!r} cannot score a tree of tokens here",
            allowed="causal models with full attention and a key-value cache",
            given=given,
            next_step="serve it behind an OpenAI-compatible endpoint instead",
        )


def usual_dtype() -> str:
    """Return the usual number format here."""
    return "bfloat16" if torch.cuda.is_available() else "float32"


def _free_bytes(on_gpu: bool) -> float:
    if on_gpu:
        return float(torch.cuda.mem_get_info()[0])
    return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
