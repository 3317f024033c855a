"""Scores many token sequences over their prefix tree: each distinct prefix is computed once.

Sorted sequences are a tree walked in preorder: what a sequence shares with the one before it
is already there. In preorder, the only nodes that later nodes can see are the ancestors of the
next node, so memory holds one chunk and one path, however large the tree is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from unswayed.models.gguf import Floats
from unswayed.models.llama import Ids, Llama, Mask, Memory

CHUNK: Final = 192
"""Nodes computed at once: large enough for full speed, small enough to waste little."""


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


def score_tree(network: Llama, sequences: Sequence[Scored]) -> tuple[list[Floats], int]:
    """Return the log-probability of every scored token, and how many nodes were computed.

    Args:
        network: The network.
        sequences: Token sequences; shared prefixes are found here.

    Returns:
        For each sequence, log p(token | all tokens before it) from its start on; and the
        number of distinct prefixes.
    """
    tree = grow_tree(sequences)
    rows = np.concatenate([*tree.asked, np.empty(0, np.int64)])
    nexts = np.array([t for s in sequences for t in s.tokens[s.start :]], np.int64)
    order = np.argsort(rows, kind="stable")
    found = np.empty(len(rows), np.float32)
    for start, states in _walk(network, tree):
        inside = slice(*np.searchsorted(rows[order], (start, start + len(states))))
        chosen = order[inside]
        found[chosen] = network.log_probabilities(states, rows[chosen] - start, nexts[chosen])
    ends = np.cumsum([len(asked) for asked in tree.asked])[:-1]
    return np.split(found, ends) if len(sequences) else [], len(tree.tokens)


def _walk(network: Llama, tree: Tree) -> Iterator[tuple[int, Floats]]:
    """Yield the first node and the final hidden states of each chunk in preorder."""
    memory = Memory(network.shape, CHUNK)
    for start in range(0, len(tree.tokens), CHUNK):
        if start:
            memory.keep(_find_path(tree, start, start - CHUNK, memory.length))
        stop = min(start + CHUNK, len(tree.tokens))
        visible = _see(tree, start, stop)
        yield (
            start,
            network.advance(memory, tree.tokens[start:stop], tree.depths[start:stop], visible),
        )


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
