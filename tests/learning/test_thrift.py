"""What makes a step cheap changes nothing that is learned."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

ABSENT = [name for name in ("torch", "peft") if find_spec(name) is None]
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}"),
    pytest.mark.filterwarnings("ignore"),
]


def network() -> Any:
    """Return a tiny network with drawn weights."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=23,
        hidden_size=8,
        intermediate_size=12,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        attn_implementation="eager",
    )
    return LlamaForCausalLM(config)


def test_the_loss_is_that_of_the_whole_vocabulary_everywhere():
    """Rows of unlike length, padded on the right, with completions at unlike places."""
    import torch

    from unswayed.learning.thrift import completion_loss

    model = network()
    ids = torch.tensor([[5, 9, 2, 7, 4, 1], [6, 3, 8, 0, 0, 0]])
    inputs = {
        "input_ids": ids,
        "attention_mask": torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]]),
        "labels": torch.tensor([[-100, -100, -100, -100, 4, 1], [-100, 3, 8, -100, -100, -100]]),
    }
    ours = completion_loss(model, inputs)
    theirs = model(**inputs).loss
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)
    ours.backward()
    mine = model.model.layers[0].mlp.up_proj.weight.grad.clone()
    model.zero_grad()
    theirs.backward()
    torch.testing.assert_close(mine, model.model.layers[0].mlp.up_proj.weight.grad)


def test_frozen_weights_are_halved_and_given_back():
    """Adapters stay whole, a look sees the network's own weights, and so does what comes after."""
    import torch
    from peft import LoraConfig, get_peft_model

    from unswayed.learning.thrift import Halves

    config = LoraConfig(r=2, target_modules="all-linear", task_type="CAUSAL_LM")
    adapted = get_peft_model(network(), config)
    mapped = adapted.base_model.model.model.layers[0].mlp.up_proj
    own = mapped.base_layer.weight.data.clone()
    halves = Halves(adapted, wanted=True)
    with halves.put():
        assert mapped.base_layer.weight.dtype == torch.bfloat16
        assert mapped.lora_A["default"].weight.dtype == torch.float32
        with halves.taken_out():
            assert torch.equal(mapped.base_layer.weight, own)
        assert mapped.base_layer.weight.dtype == torch.bfloat16
    assert torch.equal(mapped.base_layer.weight, own)
    with Halves(adapted, wanted=False).put():
        assert mapped.base_layer.weight.dtype == torch.float32
