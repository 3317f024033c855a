"""A llama-architecture network in numpy: float32, one position per node of a token tree.

The network knows nothing of text. A caller gives token ids with their depths and says which
earlier nodes each one may see; a chain (generation) and a tree (scoring) are the same call.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from unswayed.errors import MissingModelError, ModelError
from unswayed.models.gguf import Floats, Gguf
from unswayed.models.nodes import Ids, Mask, Nodes

LOGIT_ROWS: Final = 192
"""Rows of vocabulary logits held at once: 192 rows of 49,152 are 38 MB."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes and constants of the network."""

    n_layers: int
    """Transformer blocks."""
    width: int
    """Length of a hidden state."""
    n_heads: int
    """Query heads."""
    n_kv_heads: int
    """Key and value heads; each serves n_heads / n_kv_heads query heads."""
    hidden: int
    """Width inside the feed-forward part."""
    context: int
    """Most positions that the model was made for."""
    rope_base: float
    """Base of the rotary frequencies."""
    epsilon: float
    """Added to the mean square before the root."""

    @property
    def head(self) -> int:
        """Length of one head's query, key or value."""
        return self.width // self.n_heads


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """Weights of one block, ready for one product per group of maps."""

    attention_norm: Floats
    """Scale before attention."""
    qkv: Floats
    """Query, key and value maps, stacked by output row."""
    output: Floats
    """Map from joined heads back to the hidden state."""
    feed_norm: Floats
    """Scale before the feed-forward part."""
    gate_up: Floats
    """Gate and up maps, stacked by output row."""
    down: Floats
    """Map from the feed-forward part back to the hidden state."""


class Memory:
    """Keys and values of the nodes that later nodes may still see."""

    def __init__(self, shape: Shape, capacity: int) -> None:
        size = (shape.n_layers, shape.n_kv_heads, capacity, shape.head)
        self.keys = np.empty(size, np.float32)
        self.values = np.empty(size, np.float32)
        self.length = 0

    def reserve(self, extra: int) -> None:
        """Make room for more nodes, doubling at least."""
        capacity, wanted = self.keys.shape[2], self.length + extra
        if wanted <= capacity:
            return
        grown = max(wanted, 2 * capacity)
        self.keys = self._grow(self.keys, grown)
        self.values = self._grow(self.values, grown)

    def _grow(self, old: Floats, capacity: int) -> Floats:
        new = np.empty((*old.shape[:2], capacity, old.shape[3]), np.float32)
        new[:, :, : self.length] = old[:, :, : self.length]
        return new

    def keep(self, rows: Ids) -> None:
        """Forget every node but these, and move them to the front in this order."""
        self.keys[:, :, : len(rows)] = self.keys[:, :, rows]
        self.values[:, :, : len(rows)] = self.values[:, :, rows]
        self.length = len(rows)


class Llama:
    """The network: weights, one forward step, and log-probabilities of next tokens."""

    def __init__(self, shape: Shape, embedding: Floats, norm: Floats, layers: list[Layer]) -> None:
        self.shape = shape
        self.embedding = embedding
        self.norm = norm
        self.layers = layers
        # Frequencies in float64, rounded once: angles at depth 8,000 keep their last digits.
        powers = np.arange(0, shape.head, 2, dtype=np.float64) / shape.head
        self._frequencies = shape.rope_base**-powers

    @classmethod
    def load(cls, gguf: Gguf) -> Llama:
        """Dequantize the weights of a llama-architecture GGUF file."""
        shape = read_shape(gguf)
        layers = [_read_layer(gguf, number) for number in range(shape.n_layers)]
        embedding, norm = gguf.tensor("token_embd.weight"), gguf.tensor("output_norm.weight")
        return cls(shape, embedding, norm, layers)

    def remember(self, capacity: int) -> Memory:
        """Return an empty memory with room for so many nodes."""
        return Memory(self.shape, capacity)

    def score(self, memory: Memory, nodes: Nodes, rows: Ids, tokens: Ids) -> Floats:
        """Compute new nodes, and return log p(token | path) for pairs of a node and a token.

        Args:
            memory: What the new nodes may look at; grows by the new nodes.
            nodes: The new nodes.
            rows: The node of each pair, in rising order.
            tokens: The next token of each pair.
        """
        states = self.advance(memory, nodes.tokens, nodes.depths, nodes.visible)
        return self.log_probabilities(states, rows, tokens)

    def advance(self, memory: Memory, tokens: Ids, depths: Ids, visible: Mask) -> Floats:
        """Compute new nodes and add their keys and values to the memory.

        Args:
            memory: What the new nodes may look at; grows by the new nodes.
            tokens: Token id of each new node.
            depths: Number of tokens before each new node on its own path.
            visible: New nodes by (remembered nodes, then new nodes): who sees whom. Every
                node sees itself.

        Returns:
            The final hidden state of each new node, normalized, ready for the vocabulary.
        """
        start, stop = memory.length, memory.length + len(tokens)
        memory.reserve(len(tokens))
        barrier = np.where(visible, np.float32(0), np.float32(-np.inf))
        turns = self._turns(depths)
        states = self.embedding[tokens]
        for number, layer in enumerate(self.layers):
            keys = memory.keys[number, :, :stop]
            values = memory.values[number, :, :stop]
            inputs = self._normalize(states, layer.attention_norm)
            queries = self._project(inputs @ layer.qkv.T, turns, keys[:, start:], values[:, start:])
            states += self._attend(queries, keys, values, barrier) @ layer.output.T
            states += _feed(self._normalize(states, layer.feed_norm), layer)
        memory.length = stop
        return self._normalize(states, self.norm)

    def logits(self, states: Floats) -> Floats:
        """Return the next-token logits of final hidden states (tied embedding)."""
        return states @ self.embedding.T

    def log_probabilities(self, states: Floats, rows: Ids, tokens: Ids) -> Floats:
        """Return log p(token | path) for pairs of a final hidden state and a next token.

        log p = logit - log sum exp(logits), over the whole vocabulary.

        Args:
            states: Final hidden states.
            rows: The state of each pair, in rising order.
            tokens: The next token of each pair.
        """
        found = np.empty(len(rows), np.float32)
        needed, places = np.unique(rows, return_inverse=True)
        for start in range(0, len(needed), LOGIT_ROWS):
            logits = self.logits(states[needed[start : start + LOGIT_ROWS]])
            mine = slice(*np.searchsorted(places, (start, start + len(logits))))
            chosen = logits[places[mine] - start, tokens[mine]]
            found[mine] = chosen - log_sum_exp(logits)[places[mine] - start]
        return found

    def _turns(self, depths: Ids) -> NDArray[np.complex64]:
        angles = depths[:, None] * self._frequencies
        turns: NDArray[np.complex64] = np.exp(1j * angles).astype(np.complex64)
        return turns[:, None, :]

    def _project(
        self, joined: Floats, turns: NDArray[np.complex64], keys: Floats, values: Floats
    ) -> Floats:
        """Split joined maps, rotate queries and keys, store keys and values, scale queries."""
        shape = self.shape
        cut = shape.width + shape.n_kv_heads * shape.head
        # llama.cpp stores the rows of q and k so that neighbors form a rotary pair: a pair is
        # one complex number, and a rotation is one complex product.
        pairs = joined[:, :cut].reshape(len(joined), -1, shape.head).view(np.complex64)
        rotated = (pairs * turns).view(np.float32).transpose(1, 0, 2)
        keys[:] = rotated[shape.n_heads :]
        values[:] = joined[:, cut:].reshape(len(joined), -1, shape.head).transpose(1, 0, 2)
        return rotated[: shape.n_heads] * np.float32(shape.head**-0.5)

    def _attend(self, queries: Floats, keys: Floats, values: Floats, barrier: Floats) -> Floats:
        """Attention with grouped heads: softmax(q k / sqrt(head) + barrier) v."""
        n_nodes, shape = queries.shape[1], self.shape
        grouped = queries.reshape(shape.n_kv_heads, -1, shape.head)
        scores = (grouped @ keys.transpose(0, 2, 1)).reshape(-1, n_nodes, keys.shape[1])
        scores += barrier
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        totals = scores.sum(axis=-1)
        mixed = scores.reshape(shape.n_kv_heads, -1, keys.shape[1]) @ values
        mixed = mixed.reshape(shape.n_heads, n_nodes, shape.head) / totals[..., None]
        joined: Floats = mixed.transpose(1, 0, 2).reshape(n_nodes, shape.width)
        return joined

    def _normalize(self, states: Floats, scale: Floats) -> Floats:
        """Root-mean-square normalization."""
        squares = np.einsum("ij,ij->i", states, states)[:, None] / np.float32(self.shape.width)
        normalized: Floats = states / np.sqrt(squares + np.float32(self.shape.epsilon)) * scale
        return normalized


def _feed(inputs: Floats, layer: Layer) -> Floats:
    """Feed-forward part: down(silu(gate) * up)."""
    joined = inputs @ layer.gate_up.T
    gate, up = np.split(joined, 2, axis=1)
    # exp of a very negative gate overflows to inf, and x / inf is the right limit, 0.
    with np.errstate(over="ignore"):
        gate = gate / (1 + np.exp(-gate))
    fed: Floats = (gate * up) @ layer.down.T
    return fed


def log_sum_exp(logits: Floats) -> Floats:
    """Return log sum exp over the last axis, shifted by the largest so that it is exact."""
    largest = logits.max(axis=-1, keepdims=True)
    sums = np.exp(logits - largest).sum(axis=-1)
    return np.asarray(np.log(sums) + largest[..., 0], np.float32)


def read_shape(gguf: Gguf) -> Shape:
    """Read the sizes of a llama-architecture GGUF file."""
    architecture = gguf.read("general.architecture")
    if architecture != "llama" or "output.weight" in gguf.entries:
        raise ModelError(
            "the embedded runtime cannot run this architecture",
            allowed="llama with tied embeddings",
            given=f"{architecture} in {gguf.path}",
            next_step="serve it behind an OpenAI-compatible endpoint instead",
        )
    return Shape(
        n_layers=gguf.read("llama.block_count"),
        width=gguf.read("llama.embedding_length"),
        n_heads=gguf.read("llama.attention.head_count"),
        n_kv_heads=gguf.read("llama.attention.head_count_kv"),
        hidden=gguf.read("llama.feed_forward_length"),
        context=gguf.read("llama.context_length"),
        rope_base=gguf.read("llama.rope.freq_base"),
        epsilon=gguf.read("llama.attention.layer_norm_rms_epsilon"),
    )


def _read_layer(gguf: Gguf, number: int) -> Layer:
    def read(*names: str) -> Floats:
        parts = [gguf.tensor(f"blk.{number}.{name}.weight") for name in names]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    return Layer(
        attention_norm=read("attn_norm"),
        qkv=read("attn_q", "attn_k", "attn_v"),
        output=read("attn_output"),
        feed_norm=read("ffn_norm"),
        gate_up=read("ffn_gate", "ffn_up"),
        down=read("ffn_down"),
    )


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold the linear algebra library to one thread inside the block.

    Two spinning threads on busy cores are many times slower than one, and one thread adds
    numbers in one order. The limit is the whole process's while the block runs.
    """
    with _find_pools().limit(limits=1, user_api="blas"):
        yield


@cache
def _find_pools() -> Any:  # noqa: ANN401
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError as error:
        raise missing_package("threadpoolctl") from error
    return ThreadpoolController()


def missing_package(name: str) -> MissingModelError:
    """Return the error for a package of the extra `local` that is not installed."""
    return MissingModelError(
        f"the embedded model needs the package {name!r}",
        allowed="an environment with the extra 'local'",
        given="an environment without it",
        next_step="pip install 'unswayed[local]'",
    )
