# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A function as a `python` node, and the same function in a bare multiprocessing pool.

    python3 experiments/own-loader/function_rate.py MILLRACE

Needs NumPy. Both take pictures of 224 x 224 x 3 bytes to a function in two processes and its results
back, by shared memory. They are measured in turns; the ratio is the median over the rounds. The pool's
parent only copies a picture in and a result out; Millrace also generates pictures and makes batches.
"""
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing import shared_memory
from pathlib import Path

import numpy as np

SHAPE = (224, 224, 3)
BYTES = 224 * 224 * 3
WORKERS = 2
SLOTS = 16
ROUNDS = 7
SECONDS = 1.5


def same(image):
    return image


def inverted(image):
    return 255 - image


def brighter(image):
    return np.clip(image * np.float32(1.1), 0, 255).astype(np.uint8)


FUNCTIONS = [same, inverted, brighter]


def begin(name):
    global memory
    memory = shared_memory.SharedMemory(name=name)


def call(task):
    slot, function = task
    picture = np.ndarray(SHAPE, np.uint8, memory.buf, slot * BYTES)
    result = function(picture)
    if result is not picture:
        picture[...] = result
    return slot


def pool_rate(pool, shared, function):
    source = np.zeros(SHAPE, np.uint8)
    batch = np.zeros((32, *SHAPE), np.uint8)
    views = [np.ndarray(SHAPE, np.uint8, shared.buf, i * BYTES) for i in range(SLOTS)]
    done = 0
    began = time.perf_counter()
    waiting = []
    for slot in range(SLOTS):
        views[slot][...] = source
        waiting.append(pool.apply_async(call, ((slot, function),)))
    while time.perf_counter() - began < SECONDS:
        slot = waiting.pop(0).get()
        batch[done % 32] = views[slot]
        done += 1
        views[slot][...] = source
        waiting.append(pool.apply_async(call, ((slot, function),)))
    rate = done / (time.perf_counter() - began)
    for each in waiting:
        each.get()
    return rate


def document(folder, function):
    kinds = [("synthetic", {"content": "image"}),
             ("python", {"file": str(Path(__file__).resolve()), "function": function.__name__,
                         "python": sys.executable, "random": False}),
             ("workers", {"count": WORKERS}), ("batch", {"size": 32}), ("drain", {})]
    nodes = [{"id": kind, "kind": kind, "params": params} for kind, params in kinds]
    wires = [{"from": a[0], "to": b[0]} for a, b in zip(kinds, kinds[1:])]
    path = Path(folder, function.__name__ + ".millrace.json")
    path.write_text(json.dumps({"format_version": 1, "nodes": nodes, "wires": wires}))
    return path


def node_rate(millrace, path):
    run = subprocess.run([millrace, "run", path, "--seconds", str(SECONDS), "--warmup", "0.3",
                          "--repeats", "1", "--json", "--no-store"],
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["samples_per_second"]["mean"]


def main():
    shared = shared_memory.SharedMemory(create=True, size=SLOTS * BYTES)
    try:
        with multiprocessing.Pool(WORKERS, begin, (shared.name,)) as pool, \
                tempfile.TemporaryDirectory() as folder:
            print("function    node/s   pool/s   ratio (least to most)")
            for function in FUNCTIONS:
                path = document(folder, function)
                pairs = [(node_rate(sys.argv[1], path), pool_rate(pool, shared, function))
                         for _ in range(ROUNDS)]
                ratios = sorted(node / pool for node, pool in pairs)
                print("%-9s %8.0f %8.0f   %.2f (%.2f to %.2f)" % (
                    function.__name__, statistics.median(pair[0] for pair in pairs),
                    statistics.median(pair[1] for pair in pairs), statistics.median(ratios),
                    ratios[0], ratios[-1]))
    finally:
        shared.close()
        shared.unlink()


if __name__ == "__main__":
    main()
