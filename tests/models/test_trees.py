"""Prefix trees: every distinct prefix once, and scores equal to scoring each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_llama import reference_logits
from tiny_weights import write_tiny

from unswayed.models import trees
from unswayed.models.gguf import read_gguf
from unswayed.models.llama import Llama
from unswayed.models.trees import Scored, grow_tree, score_tree

sequences = st.lists(
    st.lists(st.integers(0, 2), min_size=2, max_size=9).flatmap(
        lambda tokens: st.builds(
            lambda start: Scored(tokens=tuple(tokens), start=start),
            st.integers(1, len(tokens) - 1),
        )
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Llama:
    """The tiny network."""
    return Llama.load(read_gguf(write_tiny(tmp_path_factory.mktemp("tiny") / "tiny.gguf")))


def alone(scored: Scored) -> np.ndarray:
    """The reference's log-probabilities of one sequence."""
    logits = reference_logits(scored.tokens[:-1])
    logprobs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    places = range(scored.start, len(scored.tokens))
    return np.array([logprobs[j - 1, scored.tokens[j]] for j in places])


@given(sequences)
def test_a_tree_has_one_node_per_distinct_prefix(asked):
    """Nodes spell exactly the distinct prefixes, parents first."""
    tree = grow_tree(asked)
    spelled: list[tuple[int, ...]] = []
    for node, (token, parent) in enumerate(zip(tree.tokens, tree.parents, strict=True)):
        assert parent < node
        spelled.append((*(spelled[parent] if parent >= 0 else ()), int(token)))
        assert len(spelled[-1]) == tree.depths[node] + 1
    prefixes = {s.tokens[:end] for s in asked for end in range(1, len(s.tokens))}
    assert len(spelled) == len(prefixes)
    assert set(spelled) == prefixes
    for scored, nodes in zip(asked, tree.asked, strict=True):
        ends = range(scored.start, len(scored.tokens))
        assert [spelled[node] for node in nodes] == [scored.tokens[:end] for end in ends]


@pytest.mark.parametrize("chunk", [1, 2, 5, 192])
@settings(max_examples=15, deadline=None)
@given(asked=sequences)
def test_tree_scores_equal_scores_of_each_alone(network, chunk, asked):
    """Whatever is shared and wherever chunks end, each score is the reference's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "CHUNK", chunk)
        found, computed = score_tree(network, asked)
    assert computed == len({s.tokens[:end] for s in asked for end in range(1, len(s.tokens))})
    for scored, logprobs in zip(asked, found, strict=True):
        np.testing.assert_allclose(logprobs, alone(scored), atol=1e-4)


def test_nothing_asked_is_nothing_found(network):
    """No sequence, no score, no work."""
    assert score_tree(network, []) == ([], 0)
