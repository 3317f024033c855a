"""The embedded model's weights as a network of transformers, and back.

There is no hub: configuration, weights, tokenizer and chat template all come from the GGUF file.
A trained network goes back into the embedded runtime, so that before and after are measured by
the same code.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec
import numpy as np

from unswayed.errors import MissingModelError
from unswayed.models.chat import ChatFormat, build_tokenizer
from unswayed.models.embedded import EmbeddedModel
from unswayed.models.gguf import Floats, Gguf, read_gguf
from unswayed.models.llama import Layer, Llama, read_shape
from unswayed.models.smollm import SmolLM
from unswayed.models.weights import find

PACKAGES: Final = ("torch", "transformers", "trl", "peft", "accelerate")
"""What training needs."""

INSTALL: Final = "pip install 'unswayed[local,trl]'"

Network = Any
"""A causal language model of transformers, which is not imported before it is needed."""

Tokenizer = Any
"""A fast tokenizer of transformers."""

_NAMES: Final = {
    "input_layernorm.weight": "attn_norm",
    "self_attn.q_proj.weight": "attn_q",
    "self_attn.k_proj.weight": "attn_k",
    "self_attn.v_proj.weight": "attn_v",
    "self_attn.o_proj.weight": "attn_output",
    "post_attention_layernorm.weight": "ffn_norm",
    "mlp.gate_proj.weight": "ffn_gate",
    "mlp.up_proj.weight": "ffn_up",
    "mlp.down_proj.weight": "ffn_down",
}
"""Names of a layer's tensors in transformers and in the GGUF file."""


def check_installed() -> None:
    """Refuse to begin without the packages that train.

    Raises:
        MissingModelError: Naming those that are absent.
    """
    from importlib.util import find_spec

    absent = [name for name in PACKAGES if find_spec(name) is None]
    if absent:
        raise MissingModelError(
            "training needs packages that are not installed",
            allowed=", ".join(PACKAGES),
            given=f"without {', '.join(absent)}",
            next_step=INSTALL,
        )


class Student(msgspec.Struct, frozen=True, kw_only=True):
    """A network on its way through training."""

    network: Network
    """The network; trainers change its weights in place."""
    tokenizer: Tokenizer
    """Its tokenizer."""
    gguf: Gguf
    """The file that both were built from."""

    def embedded(self) -> EmbeddedModel:
        """Return the network as it is now, in the embedded runtime."""
        return EmbeddedModel(embed(self.network, self.gguf))


def load() -> Student:
    """Build network and tokenizer from the fetched weights.

    Raises:
        MissingModelError: The weights or the packages are not here.
    """
    check_installed()
    gguf = read_gguf(find())
    return Student(network=build_network(gguf), tokenizer=wrap_tokenizer(gguf), gguf=gguf)


def build_network(gguf: Gguf) -> Network:
    """Return the network of a llama-architecture GGUF file in float32."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    shape = read_shape(gguf)
    vocabulary = gguf.tensor("token_embd.weight")
    end = int(gguf.read("tokenizer.ggml.eos_token_id"))
    network = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(vocabulary),
            hidden_size=shape.width,
            intermediate_size=shape.hidden,
            num_hidden_layers=shape.n_layers,
            num_attention_heads=shape.n_heads,
            num_key_value_heads=shape.n_kv_heads,
            max_position_embeddings=shape.context,
            rms_norm_eps=shape.epsilon,
            rope_theta=shape.rope_base,
            tie_word_embeddings=True,
            bos_token_id=end,
            eos_token_id=end,
            pad_token_id=end,
            attn_implementation="eager",
        )
    )
    state = {
        "model.embed_tokens.weight": vocabulary,
        "model.norm.weight": gguf.tensor("output_norm.weight"),
    }
    heads = {"attn_q": shape.n_heads, "attn_k": shape.n_kv_heads}
    for number in range(shape.n_layers):
        for theirs, name in _NAMES.items():
            tensor = gguf.tensor(f"blk.{number}.{name}.weight")
            if name in heads:
                tensor = halves(tensor, heads[name])
            state[f"model.layers.{number}.{theirs}"] = tensor
    state["lm_head.weight"] = vocabulary
    tensors = {name: torch.from_numpy(np.array(value)) for name, value in state.items()}
    network.load_state_dict(tensors, strict=True)
    return network


def halves(rows: Floats, n_heads: int) -> Floats:
    """Reorder the rows of each head from neighboring rotary pairs to two halves."""
    size = len(rows) // n_heads
    paired = rows.reshape(n_heads, size // 2, 2, -1).swapaxes(1, 2)
    return np.ascontiguousarray(paired.reshape(rows.shape))


def neighbors(rows: Floats, n_heads: int) -> Floats:
    """Reorder the rows of each head from two halves to neighboring rotary pairs."""
    size = len(rows) // n_heads
    paired = rows.reshape(n_heads, 2, size // 2, -1).swapaxes(1, 2)
    return np.ascontiguousarray(paired.reshape(rows.shape))


def wrap_tokenizer(gguf: Gguf) -> Tokenizer:
    """Return the tokenizer of the GGUF file, with its chat template, as transformers has it."""
    from transformers import PreTrainedTokenizerFast

    end = gguf.read("tokenizer.ggml.tokens")[int(gguf.read("tokenizer.ggml.eos_token_id"))]
    return PreTrainedTokenizerFast(
        tokenizer_object=build_tokenizer(gguf),
        eos_token=end,
        pad_token=end,
        chat_template=gguf.read("tokenizer.chat_template"),
    )


def embed(network: Network, gguf: Gguf) -> SmolLM:
    """Return a network in the embedded runtime, under the digest of its weights.

    Args:
        network: A network of `build_network`, trained or not, adapters merged or not.
        gguf: The file it was built from.
    """
    tensors = merged(network)
    shape = read_shape(gguf)

    def read(number: int, name: str) -> Floats:
        return tensors[f"model.layers.{number}.{name}"]

    layers = [
        Layer(
            attention_norm=read(number, "input_layernorm.weight"),
            qkv=np.concatenate(
                [
                    neighbors(read(number, "self_attn.q_proj.weight"), shape.n_heads),
                    neighbors(read(number, "self_attn.k_proj.weight"), shape.n_kv_heads),
                    read(number, "self_attn.v_proj.weight"),
                ]
            ),
            output=read(number, "self_attn.o_proj.weight"),
            feed_norm=read(number, "post_attention_layernorm.weight"),
            gate_up=np.concatenate(
                [read(number, "mlp.gate_proj.weight"), read(number, "mlp.up_proj.weight")]
            ),
            down=read(number, "mlp.down_proj.weight"),
        )
        for number in range(shape.n_layers)
    ]
    llama = Llama(shape, tensors["model.embed_tokens.weight"], tensors["model.norm.weight"], layers)
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(np.ascontiguousarray(tensors[name]).data)
    return SmolLM(llama, ChatFormat(gguf), digest.hexdigest())


def merged(network: Network) -> dict[str, Floats]:
    """Return the weights by name, with low-rank adapters added to what they adapt.

    W + (alpha / r) B A (arXiv 2106.09685); the network itself is not changed.
    """
    state = {
        name.removeprefix("base_model.model."): value.detach().float().numpy()
        for name, value in network.state_dict().items()
    }
    found = {}
    for name, value in state.items():
        if "lora_" in name:
            continue
        plain = name.replace(".base_layer.", ".")
        found[plain] = value
    scale = adapter_scale(network)
    for name, down in state.items():
        if ".lora_A." in name:
            up = state[name.replace(".lora_A.", ".lora_B.")]
            plain = name.partition(".lora_A.")[0] + ".weight"
            found[plain] = (found[plain] + scale * (up @ down)).astype(np.float32)
    return found


def adapter_scale(network: Network) -> float:
    """Return alpha / r of the network's adapter; 1 where it has none."""
    configs = getattr(network, "peft_config", None)
    if not configs:
        return 1.0
    config = next(iter(configs.values()))
    return float(config.lora_alpha / config.r)
