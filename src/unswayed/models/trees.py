"""Scores many token sequences over their prefix tree: each distinct prefix is computed once.

Sorted sequences are a tree walked in preorder: what a sequence shares with the one before it
is already there. In preorder, the only nodes that later nodes can see are the ancestors of the
next node, so memory holds one chunk and one path, however large the tree is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

import msgspec
import numpy as np

from unswayed.models.gguf import Floats
from unswayed.models.nodes import Ids, Mask, Nodes

CHUNK: Final = 192
"""Nodes computed at once: large enough for full speed, small enough to waste little."""


class Remembered(Protocol):
    """Keys and values of the nodes that later nodes may still see."""

    @property
    def length(self) -> int:
        """How many nodes there are."""
        ...

    def keep(self, rows: Ids) -> None:
        """Forget every node but these, and move them to the front in this order."""
        ...


Memory = TypeVar("Memory", bound=Remembered)


class Network(Protocol[Memory]):
    """A causal network that computes nodes of a tree in one step."""

    def remember(self, capacity: int) -> Memory:
        """Return an empty memory with room for so many nodes; more room is made when needed."""
        ...

    def score(self, memory: Memory, nodes: Nodes, rows: Ids, tokens: Ids) -> Floats:
        """Compute new nodes, add them to the memory, and score next tokens.

        Args:
            memory: What the new nodes may look at.
            nodes: The new nodes.
            rows: The node of each pair, in rising order.
            tokens: The next token of each pair.

        Returns:
            log p(token | path of the node) of each pair.
        """
        ...


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence with the place where scoring begins."""

    tokens: tuple[int, ...]
    """The whole sequence."""
    start: int
    """The first scored token, at least 1; every token before it is only read."""


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """The distinct prefixes of some sequences, in preorder, and what is asked of them."""

    tokens: Ids
    """Token of each node."""
    depths: Ids
    """Depth of each node; a root has 0."""
    parents: Ids
    """Parent of each node; a root has -1."""
    asked: list[Ids]
    """For each sequence, the node before each of its scored tokens."""


def grow_tree(sequences: Sequence[Scored]) -> Tree:
    """Merge sequences, each without its last token, into a tree in preorder."""
    inputs = [sequence.tokens[:-1] for sequence in sequences]
    tokens: list[int] = []
    depths: list[int] = []
    parents: list[int] = []
    asked: list[Ids] = [np.empty(0, np.int64)] * len(sequences)
    path: list[int] = []
    before: tuple[int, ...] = ()
    for number in sorted(range(len(inputs)), key=inputs.__getitem__):
        current = inputs[number]
        shared = _count_shared(before, current)
        del path[shared:]
        for depth in range(shared, len(current)):
            tokens.append(current[depth])
            depths.append(depth)
            parents.append(path[-1] if path else -1)
            path.append(len(tokens) - 1)
        asked[number] = np.array(path[sequences[number].start - 1 :], np.int64)
        before = current
    return Tree(
        tokens=np.array(tokens, np.int64),
        depths=np.array(depths, np.int64),
        parents=np.array(parents, np.int64),
        asked=asked,
    )


def _count_shared(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return place
    return min(len(left), len(right))


def score_tree(
    network: Network[Memory], sequences: Sequence[Scored], *, chunk: int | None = None
) -> tuple[list[Floats], int]:
    """Return the log-probability of every scored token, and how many nodes were computed.

    Args:
        network: The network.
        sequences: Token sequences; shared prefixes are found here.
        chunk: Nodes computed at once; None for the usual number.

    Returns:
        For each sequence, log p(token | all tokens before it) from its start on; and the
        number of distinct prefixes.
    """
    tree = grow_tree(sequences)
    rows = np.concatenate([*tree.asked, np.empty(0, np.int64)])
    nexts = np.array([t for s in sequences for t in s.tokens[s.start :]], np.int64)
    order = np.argsort(rows, kind="stable")
    found = np.empty(len(rows), np.float32)
    size = chunk or CHUNK
    memory = network.remember(size)
    for start in range(0, len(tree.tokens), size):
        if start:
            memory.keep(_find_path(tree, start, start - size, memory.length))
        stop = min(start + size, len(tree.tokens))
        chosen = order[slice(*np.searchsorted(rows[order], (start, stop)))]
        nodes = Nodes(
            tokens=tree.tokens[start:stop],
            depths=tree.depths[start:stop],
            visible=_see(tree, start, stop),
        )
        found[chosen] = network.score(memory, nodes, rows[chosen] - start, nexts[chosen])
    ends = np.cumsum([len(asked) for asked in tree.asked])[:-1]
    return np.split(found, ends) if len(sequences) else [], len(tree.tokens)


def _find_path(tree: Tree, node: int, start: int, length: int) -> Ids:
    """Return the memory rows of a node's ancestors, root first.

    Args:
        tree: The tree.
        node: The first node of the next chunk.
        start: The first node of the chunk just computed; its nodes are the last memory rows.
        length: Memory rows after that chunk. The rows before it are a path, one a depth.
    """
    older = length - (node - start)
    rows = []
    parent = int(tree.parents[node])
    while parent >= start:
        rows.append(older + parent - start)
        parent = int(tree.parents[parent])
    remembered = int(tree.depths[parent]) + 1 if parent >= 0 else 0
    return np.array([*range(remembered), *reversed(rows)], np.int64)


def _see(tree: Tree, start: int, stop: int) -> Mask:
    """Return which remembered and new nodes each new node sees: its ancestors and itself."""
    remembered = int(tree.depths[start])
    visible = np.zeros((stop - start, remembered + stop - start), np.bool_)
    for row, (parent, depth) in enumerate(
        zip(tree.parents[start:stop], tree.depths[start:stop], strict=True)
    ):
        if parent >= start:
            visible[row] = visible[parent - start]
        else:
            visible[row, :depth] = True
        visible[row, remembered + row] = True
    return visible
