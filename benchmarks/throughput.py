"""How long texts take to embed, beside the same model in ONNX Runtime with nothing around it.

    python -m benchmarks.throughput [--texts corpus.jsonl] [--number 64] [--rounds 5]

Three sides embed the same texts in turn: ours through the backend that the server uses; the library given one text
after another, with the settings that cost least; and the library as it comes, given batches. Processor time, and wall
time in brackets, each of the fastest round.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from prioris_mcp.adapters.embedding import onnx_model

# isort: split
from benchmarks.search import sentences_of

_TOKENS = 256
"""Of a text at most, on every side."""
_BATCH = 32
_SENTENCES = 9
"""Of a text: about as long as an abstract."""

Side = Callable[[Sequence[str]], Sequence[object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--number", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    sentences = sentences_of(options.texts)
    texts = [" ".join(islice(sentences, _SENTENCES)) for _ in range(options.number)]
    with asyncio.Runner() as runner:
        backend = onnx_model.OnnxEmbedding()
        sides: dict[str, Side] = {
            "ours": lambda some: runner.run(backend.embed(some)),
            "bare": bare(lean()),
            "as it comes": bare(onnxruntime.SessionOptions(), _BATCH),
        }
        times = measured(sides, texts, options.rounds)
    cpu, wall = times["bare"]
    for name, (own_cpu, own_wall) in times.items():
        print(
            f"{name}: {own_cpu:.2f} s ({own_wall:.2f} s) for {len(texts)} texts, "
            f"{own_cpu / cpu:.3f} x ({own_wall / wall:.3f} x) the bare library"
        )


def measured(sides: dict[str, Side], texts: Sequence[str], rounds: int) -> dict[str, tuple[float, float]]:
    """Seconds of the processor and of the clock that each side takes for all *texts*."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    for name, side in sides.items():
        assert len(side(texts[:2])) == 2, name  # the first call loads the model
    for _ in range(rounds):
        for name, side in sides.items():
            cpu, wall = time.process_time(), time.perf_counter()
            side(texts)
            times[name].append((time.process_time() - cpu, time.perf_counter() - wall))
    return {name: (min(cpu for cpu, _ in own), min(wall for _, wall in own)) for name, own in times.items()}


def lean() -> onnxruntime.SessionOptions:
    """One thread that does not spin: what costs least processor time."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def bare(options: onnxruntime.SessionOptions, batch: int = 1) -> Side:
    """The library alone: tokens, model, mean of the token vectors at unit length."""
    session = onnxruntime.InferenceSession(onnx_model._bundled_weights(), options, providers=["CPUExecutionProvider"])
    tokenizer = onnx_model._bundled_tokenizer()
    tokenizer.enable_padding()
    tokenizer.enable_truncation(_TOKENS)

    def side(texts: Sequence[str]) -> list[Any]:
        vectors: list[Any] = []
        for at in range(0, len(texts), batch):
            encoded = tokenizer.encode_batch(texts[at : at + batch])
            ids = np.array([each.ids for each in encoded], dtype=np.int64)
            mask = np.array([each.attention_mask for each in encoded], dtype=np.int64)
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            tokens = session.run(None, feed)[0]
            means = (tokens * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            vectors += [*(means / np.linalg.norm(means, axis=1, keepdims=True))]
        return vectors

    return side


if __name__ == "__main__":
    main()
