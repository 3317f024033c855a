"""The numpy network against an independent float64 reference, and against transformers."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_weights import (
    CONTEXT,
    HEADS,
    HIDDEN,
    KV_HEADS,
    LAYERS,
    TOKENS,
    WIDTH,
    tiny_arrays,
    write_tiny,
)

from unswayed.errors import MissingModelError, ModelError
from unswayed.models import llama
from unswayed.models.gguf import read_gguf
from unswayed.models.llama import Llama, Memory, log_sum_exp, one_blas_thread

TOKENS_ASKED = np.random.default_rng(4).integers(0, len(TOKENS), 40)


@pytest.fixture
def gguf(tmp_path):
    """The tiny model's file."""
    return read_gguf(write_tiny(tmp_path / "tiny.gguf"))


def rotate(vector: np.ndarray, depth: int) -> np.ndarray:
    """Rotate neighbors (2i, 2i+1) by depth * 1000^(-2i/head), one pair at a time."""
    turned = vector.copy()
    for i in range(0, len(vector), 2):
        angle = depth * 1000.0 ** (-i / len(vector))
        x, y = vector[i], vector[i + 1]
        turned[i] = x * np.cos(angle) - y * np.sin(angle)
        turned[i + 1] = x * np.sin(angle) + y * np.cos(angle)
    return turned


def reference_logits(tokens, arrays=None) -> np.ndarray:
    """All logits of one chain in float64: loops over positions and heads, no memory, no mask."""
    w = {k: v.astype(np.float64) for k, v in (arrays or tiny_arrays()).items()}
    head = WIDTH // HEADS

    def norm(x, scale):
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * scale

    x = w["token_embd.weight"][list(tokens)]
    for number in range(LAYERS):
        block = f"blk.{number}."
        part = {
            name.removeprefix(block).removesuffix(".weight"): array
            for name, array in w.items()
            if name.startswith(block)
        }
        h = norm(x, part["attn_norm"])
        q = (h @ part["attn_q"].T).reshape(-1, HEADS, head)
        k = (h @ part["attn_k"].T).reshape(-1, KV_HEADS, head)
        v = (h @ part["attn_v"].T).reshape(-1, KV_HEADS, head)
        mixed = np.zeros((len(x), HEADS, head))
        for t in range(len(x)):
            for a in range(HEADS):
                b = a // (HEADS // KV_HEADS)
                query = rotate(q[t, a], t)
                dots = np.array([query @ rotate(k[s, b], s) for s in range(t + 1)])
                shares = np.exp(dots / np.sqrt(head))
                mixed[t, a] = shares @ v[: t + 1, b] / shares.sum()
        x = x + mixed.reshape(len(x), WIDTH) @ part["attn_output"].T
        h = norm(x, part["ffn_norm"])
        gate = h @ part["ffn_gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ part["ffn_up"].T)) @ part["ffn_down"].T
    return norm(x, w["output_norm.weight"]) @ w["token_embd.weight"].T


def chain_logits(network: Llama, tokens, pieces: int) -> np.ndarray:
    """Logits of a chain that is read in pieces."""
    memory = Memory(network.shape, 1)
    found = []
    for piece in np.array_split(np.asarray(tokens, np.int64), pieces):
        depths = np.arange(memory.length, memory.length + len(piece))
        visible = np.arange(memory.length + len(piece)) <= depths[:, None]
        found.append(network.logits(network.advance(memory, piece, depths, visible)))
    return np.concatenate(found)


@pytest.mark.parametrize("pieces", [1, 3, 40])
def test_a_chain_gives_the_reference_logits(gguf, pieces):
    """Whole, in pieces or token by token, the logits are the reference's."""
    found = chain_logits(Llama.load(gguf), TOKENS_ASKED, pieces)
    np.testing.assert_allclose(found, reference_logits(TOKENS_ASKED), atol=1e-4)


def test_a_blocked_node_is_not_seen(gguf):
    """Two siblings after one root read as two chains of their own."""
    network = Llama.load(gguf)
    memory = Memory(network.shape, 4)
    visible = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], bool)
    tokens, depths = np.array([5, 9, 17]), np.array([0, 1, 1])
    logits = network.logits(network.advance(memory, tokens, depths, visible))
    np.testing.assert_allclose(logits[1], reference_logits([5, 9])[1], atol=1e-4)
    np.testing.assert_allclose(logits[2], reference_logits([5, 17])[1], atol=1e-4)


def test_log_probabilities_are_normalized_over_the_vocabulary(gguf, monkeypatch):
    """Pairs of state and token read log softmax, however few rows are held at once."""
    monkeypatch.setattr(llama, "LOGIT_ROWS", 2)
    network = Llama.load(gguf)
    states = np.random.default_rng(0).normal(size=(7, WIDTH)).astype(np.float32)
    rows = np.array([0, 0, 2, 3, 3, 3, 5, 6])
    tokens = np.array([1, 250, 3, 0, 0, 7, 9, 2])
    found = network.log_probabilities(states, rows, tokens)
    logits = states.astype(np.float64) @ tiny_arrays()["token_embd.weight"].T
    expected = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    np.testing.assert_allclose(found, expected[rows, tokens], atol=1e-5)


def test_log_sum_exp_survives_large_logits():
    """Numbers whose exp overflows still add."""
    found = log_sum_exp(np.float32([[1000.0, 1000.0], [-1000.0, -1000.0]]))
    np.testing.assert_allclose(found, [1000 + np.log(2), -1000 + np.log(2)])


@pytest.mark.parametrize("case", ["architecture", "untied"])
def test_another_architecture_is_refused(tmp_path, case):
    """What would be computed wrongly is not computed."""
    arrays = tiny_arrays()
    pairs = {}
    if case == "untied":
        arrays["output.weight"] = arrays["token_embd.weight"]
    else:
        pairs["general__architecture"] = "qwen2"
    gguf = read_gguf(write_tiny(tmp_path / "m.gguf", arrays, **pairs))
    with pytest.raises(ModelError, match="llama with tied embeddings"):
        Llama.load(gguf)


def test_one_thread_inside_and_the_old_number_after():
    """The limit holds inside the block and is given back."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="needs the extra 'local'")

    def count():
        return [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]

    before = count()
    with one_blas_thread():
        assert set(count()) <= {1}
    assert count() == before


def test_a_missing_package_names_the_extra(monkeypatch):
    """Without threadpoolctl the error says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "threadpoolctl", None)
    llama._find_pools.cache_clear()
    with pytest.raises(MissingModelError, match=r"unswayed\[local\]"), one_blas_thread():
        pass


@pytest.mark.heavy
def test_the_network_agrees_with_transformers(gguf):
    """The same weights in transformers' float32 llama give the same logits."""
    torch = pytest.importorskip("torch", reason="needs torch")
    transformers = pytest.importorskip("transformers", reason="needs transformers")
    model = convert(gguf, torch, transformers)
    with torch.no_grad():
        expected = model(torch.tensor(TOKENS_ASKED[None])).logits[0].numpy()
    found = chain_logits(Llama.load(gguf), TOKENS_ASKED, 2)
    np.testing.assert_allclose(found, expected, atol=1e-4)


def convert(gguf, torch, transformers):
    """Build transformers' llama from a GGUF file, undoing the file's order of q and k rows."""
    shape = llama.read_shape(gguf)
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=len(gguf.read("tokenizer.ggml.tokens")),
            hidden_size=shape.width,
            intermediate_size=shape.hidden,
            num_hidden_layers=shape.n_layers,
            num_attention_heads=shape.n_heads,
            num_key_value_heads=shape.n_kv_heads,
            max_position_embeddings=shape.context,
            rms_norm_eps=shape.epsilon,
            rope_parameters={"rope_type": "default", "rope_theta": shape.rope_base},
            tie_word_embeddings=True,
        )
    )
    names = {
        "attn_norm": "input_layernorm",
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
    }
    state = {"model.norm.weight": gguf.tensor("output_norm.weight")}
    for name in ("model.embed_tokens.weight", "lm_head.weight"):
        state[name] = gguf.tensor("token_embd.weight")
    heads = {"attn_q": shape.n_heads, "attn_k": shape.n_kv_heads}
    for number in range(shape.n_layers):
        for ours, theirs in names.items():
            weight = gguf.tensor(f"blk.{number}.{ours}.weight")
            if ours in heads:
                pairs = weight.reshape(heads[ours], -1, 2, weight.shape[1])
                weight = pairs.swapaxes(1, 2).reshape(weight.shape)
            state[f"model.layers.{number}.{theirs}.weight"] = weight
    model.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    return model.eval()


def test_the_tiny_model_has_the_shape_that_was_written(gguf):
    """Sizes are read from metadata."""
    shape = llama.read_shape(gguf)
    assert (shape.n_layers, shape.hidden, shape.context) == (LAYERS, HIDDEN, CONTEXT)
    assert shape.head == WIDTH // HEADS
