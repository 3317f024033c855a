"""How much of the work the prefix tree saves, where it could save it all, in one run.

    python speed/prefix.py                         the embedded runtime
    python speed/prefix.py --transformers          transformers on the same weights too
    python speed/prefix.py --checkpoint FOLDER     transformers on a folder
    python speed/prefix.py --only-transformers --dtype float32 bfloat16 int8
    python speed/prefix.py --tiny                  a small random network, for a quick look

The requests are those of `pushback-scored`: options scored after a question, a first answer and a
push. Three ways, over the same token sequences: each sequence alone (naive), several sequences in
one step with nothing shared (batched), and the tree. The limit is the number of tokens over the
number of distinct prefixes: what a way that computes every prefix once would be faster by, if a
token always cost the same. Processor seconds of one thread; scores are held against the naive ones,
and the naive ones of further number formats against those of the first.

int8 is PyTorch's dynamic quantization of every linear layer. It is measured here and nowhere used:
docs/distributed.md says why.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unswayed.benchmarks import BENCHMARKS
from unswayed.items.builtin import builtin_items
from unswayed.models.llama import Llama, Shape, one_blas_thread
from unswayed.models.nodes import Nodes
from unswayed.models.trees import Network, Scored, grow_tree, score_tree
from unswayed.plans.cross import cross

Encode = Callable[[list[tuple[str, str]], str], tuple[list[int], list[int]]]
Way = Callable[[Sequence[Scored]], list[np.ndarray]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=2, help="Items of the plan.")
    parser.add_argument("--requests", type=int, default=80, help="Most requests of an item.")
    parser.add_argument("--batch", type=int, default=8, help="Sequences of a batch.")
    parser.add_argument("--transformers", action="store_true", help="Transformers as well.")
    parser.add_argument("--checkpoint", type=Path, help="A folder for transformers.")
    parser.add_argument("--only-transformers", action="store_true", help="Nothing else.")
    parser.add_argument(
        "--dtype", nargs="+", default=["float32"], help="Number formats of transformers."
    )
    parser.add_argument("--tiny", action="store_true", help="A small random network.")
    given = parser.parse_args()
    if not given.only_transformers:
        with one_blas_thread():
            if given.tiny:
                network, encode = tiny_network(), encode_bytes
            else:
                network, encode = embedded_network()
            asked = sequences(encode, given.items, given.requests)
            say("embedded runtime", asked, network_ways(network, given.batch))
    if given.only_transformers or given.transformers or given.checkpoint is not None:
        first: list[np.ndarray] | None = None
        for dtype in given.dtype:
            torch_network, encode = open_torch(given.checkpoint, dtype)
            asked = sequences(encode, given.items, given.requests)
            naive = say(f"transformers, {dtype}", asked, torch_ways(torch_network, given.batch))
            if first is None:
                first = naive
            else:
                token, option = apart(first, naive)
                print(f"  naive is {token:.1e} a token, {option:.1e} an option from", end="")
                print(f" naive in {given.dtype[0]}", flush=True)


def sequences(encode: Encode, n_items: int, n_requests: int) -> list[Scored]:
    """Return the token sequences that a plan asks of so many items."""
    items = builtin_items(("fact",))[:n_items]
    asked: list[Scored] = []
    for item in items:
        replays = [
            replay
            for replay in cross([item], BENCHMARKS["pushback-scored"].design)
            if replay.options
        ]
        for replay in replays[:n_requests]:
            pending = dict.fromkeys(replay.transcript.pending(), replay.options[0])
            messages = replay.transcript.fill(pending).to_wire()
            talk = [(message["role"], message["content"]) for message in messages]
            for option in replay.options:
                prefix, tail = encode(talk, option)
                asked.append(Scored(tokens=(*prefix, *tail), start=len(prefix)))
    return asked


def apart(one: list[np.ndarray], two: list[np.ndarray]) -> tuple[float, float]:
    """Return the largest difference of a token, and of an option."""
    pairs = list(zip(one, two, strict=True))
    tokens = max(float(np.abs(a - b).max()) for a, b in pairs)
    return tokens, max(abs(float(a.sum()) - float(b.sum())) for a, b in pairs)


def say(name: str, asked: list[Scored], ways: dict[str, Way]) -> list[np.ndarray]:
    """Run every way over the same sequences, print its cost beside the naive one's, return that."""
    tokens = sum(len(scored.tokens) - 1 for scored in asked)
    distinct = len(grow_tree(asked).tokens)
    print(f"{name}: {len(asked):,} sequences, {tokens:,} tokens, {distinct:,} distinct prefixes")
    baseline: tuple[float, list[np.ndarray]] | None = None
    for way, run in ways.items():
        run(asked[:2])
        started = time.process_time()
        found = run(asked)
        seconds = time.process_time() - started
        if baseline is None:
            baseline = seconds, found
        worst, totals = apart(baseline[1], found)
        print(
            f"  {way:8} {seconds:8.2f} s  {tokens / seconds:10,.0f} tokens/s  "
            f"{baseline[0] / seconds:6.1f} times naive  (differs by {worst:.1e} a token,"
            f" {totals:.1e} an option)",
            flush=True,
        )
    print(f"  limit    {'':8}    {'':10}            {tokens / distinct:6.1f} times naive")
    assert baseline is not None
    return baseline[1]


def network_ways(network: Network[Any], size: int) -> dict[str, Way]:
    """The ways of a network that computes nodes."""

    def naive(asked: Sequence[Scored]) -> list[np.ndarray]:
        return [score_tree(network, [scored])[0][0] for scored in asked]

    def batched(asked: Sequence[Scored]) -> list[np.ndarray]:
        found: list[np.ndarray] = []
        for start in range(0, len(asked), size):
            found += _side_by_side(network, asked[start : start + size])
        return found

    def tree(asked: Sequence[Scored]) -> list[np.ndarray]:
        return score_tree(network, asked)[0]

    return {"naive": naive, "batched": batched, "tree": tree}


def _side_by_side(network: Network[Any], asked: Sequence[Scored]) -> list[np.ndarray]:
    """Score sequences in one step in which none sees another."""
    lengths = [len(scored.tokens) - 1 for scored in asked]
    starts = np.cumsum([0, *lengths])
    visible = np.zeros((starts[-1], starts[-1]), np.bool_)
    for start, length in zip(starts, lengths, strict=False):
        visible[start : start + length, start : start + length] = np.tri(length, dtype=np.bool_)
    nodes = Nodes(
        tokens=np.array([token for scored in asked for token in scored.tokens[:-1]], np.int64),
        depths=np.concatenate([np.arange(length) for length in lengths]),
        visible=visible,
    )
    rows = [
        start + np.arange(scored.start - 1, length)
        for start, length, scored in zip(starts, lengths, asked, strict=False)
    ]
    nexts = np.array([token for scored in asked for token in scored.tokens[scored.start :]])
    memory = network.remember(int(starts[-1]))
    found = network.score(memory, nodes, np.concatenate(rows), nexts)
    return np.split(found, np.cumsum([len(each) for each in rows])[:-1])


def torch_ways(network: Any, size: int) -> dict[str, Way]:
    """The ways of transformers: whole passes, padded batches, and the tree."""
    import torch

    def passes(asked: Sequence[Scored], at_once: int) -> list[np.ndarray]:
        found = []
        for start in range(0, len(asked), at_once):
            part = asked[start : start + at_once]
            longest = max(len(scored.tokens) for scored in part)
            ids = torch.zeros((len(part), longest), dtype=torch.long)
            mask = torch.zeros_like(ids)
            for row, scored in enumerate(part):
                ids[row, : len(scored.tokens)] = torch.tensor(scored.tokens)
                mask[row, : len(scored.tokens)] = 1
            first = min(scored.start for scored in part) - 1
            keep = torch.arange(first, longest)
            with torch.inference_mode():
                logits = (
                    network.network(
                        input_ids=ids, attention_mask=mask, use_cache=False, logits_to_keep=keep
                    )
                    .logits.float()
                    .log_softmax(-1)
                )
            for row, scored in enumerate(part):
                places = torch.arange(scored.start - 1, len(scored.tokens) - 1)
                nexts = ids[row, scored.start : len(scored.tokens)]
                found.append(logits[row, places - first, nexts].numpy())
        return found

    return {
        "naive": lambda asked: passes(asked, 1),
        "batched": lambda asked: passes(asked, size),
        "tree": lambda asked: score_tree(network, asked, chunk=network.nodes_at_once())[0],
    }


def embedded_network() -> tuple[Network[Any], Encode]:
    """The fetched weights in the embedded runtime."""
    from unswayed.models.chat import ChatFormat
    from unswayed.models.gguf import read_gguf
    from unswayed.models.weights import find

    gguf = read_gguf(find())
    chat = ChatFormat(gguf)
    return Llama.load(gguf), lambda talk, option: (
        chat.encode_chat(talk),
        chat.encode_option(option),
    )


def open_torch(folder: Path | None, dtype: str) -> tuple[Any, Encode]:
    """A folder, or the fetched weights, in transformers on one thread."""
    import torch

    from unswayed.models.checkpoint import encode_chat, encode_option
    from unswayed.models.torch_tree import TorchNetwork

    torch.set_num_threads(1)
    width = "float32" if dtype == "int8" else dtype
    if folder is not None:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        network = TorchNetwork.load(folder, width)
    else:
        from unswayed.learning.network import build_network, wrap_tokenizer
        from unswayed.models.gguf import read_gguf
        from unswayed.models.weights import find

        gguf = read_gguf(find())
        built = build_network(gguf).to(getattr(torch, width))
        tokenizer, network = wrap_tokenizer(gguf), TorchNetwork(built)
    if dtype == "int8":
        network.network = torch.ao.quantization.quantize_dynamic(
            network.network, {torch.nn.Linear}, dtype=torch.qint8
        )

    def encode(talk: list[tuple[str, str]], option: str) -> tuple[list[int], list[int]]:
        messages = [{"role": role, "content": content} for role, content in talk]
        return encode_chat(tokenizer, messages), encode_option(tokenizer, option)

    return network, encode


def tiny_network() -> Network[Any]:
    """A random network over bytes."""
    from unswayed.models.llama import Layer

    shape = Shape(
        n_layers=2, width=64, n_heads=4, n_kv_heads=2, hidden=128, context=8192,
        rope_base=10_000.0, epsilon=1e-5,
    )  # fmt: skip
    generator = np.random.default_rng(0)

    def draw(*size: int) -> np.ndarray:
        return generator.normal(0, 0.1, size).astype(np.float32)

    layers = [
        Layer(
            attention_norm=np.ones(64, np.float32), qkv=draw(128, 64), output=draw(64, 64),
            feed_norm=np.ones(64, np.float32), gate_up=draw(256, 64), down=draw(64, 128),
        )
        for _ in range(shape.n_layers)
    ]  # fmt: skip
    return Llama(shape, draw(256, 64), np.ones(64, np.float32), layers)


def encode_bytes(talk: list[tuple[str, str]], option: str) -> tuple[list[int], list[int]]:
    """Bytes as tokens."""
    text = "".join(f"{role}: {content}\n" for role, content in talk) + "assistant: "
    return list(text.encode()), list(option.encode())


if __name__ == "__main__":
    main()
