# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What taking batches in Python costs: rates compared with `millrace run`, and its own times.

Needs NumPy. MILLRACE names the program, MILLRACE_LIBRARY the library.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from spread import ratio

PROGRAM = os.environ["MILLRACE"]
HERE = str(Path(__file__).resolve())
ARRAYS = {
    "format_version": 1,
    "nodes": [
        {"id": "synthetic", "kind": "synthetic", "params": {"content": "image", "count": 100000}},
        {"id": "workers", "kind": "workers", "params": {"count": 2}},
        {"id": "precision", "kind": "precision", "params": {"dtype": "f32", "layout": "nchw"}},
        {"id": "batch", "kind": "batch", "params": {"size": 64}},
        {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
        {"id": "drain", "kind": "drain", "params": {}},
    ],
    "wires": [
        {"from": a, "to": b}
        for a, b in zip(
            ["synthetic", "workers", "precision", "batch", "prefetch"],
            ["workers", "precision", "batch", "prefetch", "drain"],
        )
    ],
}


def small(count, size):
    """Rows of eight bytes, so that only the handover of batches takes time."""
    document = json.loads(json.dumps(ARRAYS))
    document["nodes"][0]["params"] = {"count": count, "length": 8}
    document["nodes"][3]["params"] = {"size": size}
    document["nodes"] = [node for node in document["nodes"] if node["id"] != "precision"]
    ids = [node["id"] for node in document["nodes"]]
    document["wires"] = [{"from": a, "to": b} for a, b in zip(ids, ids[1:])]
    return document


def iterate(pipeline, warm, seconds):
    """In a separate process: samples a second over whole batches."""
    import millrace

    with millrace.Loader(pipeline) as loader:
        begun, counted, rows = time.perf_counter(), None, 0
        while True:
            for batch in loader:
                now = time.perf_counter()
                if counted is None:
                    if now - begun >= warm:
                        counted = now
                    continue
                rows += batch.rows
                if now - counted >= seconds:
                    return rows / (now - counted)


def in_python(pipeline, options):
    command = [sys.executable, HERE, "--iterate", pipeline]
    command += ["--seconds", str(options.seconds), "--warm", str(options.warm)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def in_engine(pipeline, options):
    command = [PROGRAM, "run", pipeline, "--json", "--no-store", "--no-fingerprint", "--repeats", "1"]
    command += ["--seconds", str(options.seconds), "--warmup", str(options.warm)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["samples_per_second"]["mean"]


def rates(options, folder):
    arrays = Path(folder, "arrays.millrace.json")
    arrays.write_text(json.dumps(ARRAYS))
    for name, pipeline in (("photos", "classification"), ("raw arrays", str(arrays))):
        pairs = []
        for _ in range(options.blocks):
            row = {}
            for way in random.sample([in_python, in_engine], 2):
                row[way] = way(pipeline, options)
            pairs.append((row[in_python], row[in_engine]))
            print(f"  {name}: {row[in_python]:.0f} in Python, {row[in_engine]:.0f} in `millrace run`", file=sys.stderr, flush=True)
        middle = statistics.median(engine for _, engine in pairs)
        print(f"{name}: Python over `millrace run` {ratio(pairs)}, {len(pairs)} pairs, {middle:.0f} samples/s", flush=True)


def own_cost():
    """The CPU time of the iterating thread, an upper bound that includes waiting."""
    import millrace

    costs = []
    for _ in range(7):
        with millrace.Loader(small(64000, 16)) as loader:
            next(iter(loader))
            begun, count = time.thread_time(), 0
            for batch in loader:
                _ = [batch[name] for name in batch]
                count += 1
            costs.append((time.thread_time() - begun) / count * 1e6)
    print(f"CPU time of the iterating thread: {statistics.median(costs):.1f} us a batch ({min(costs):.1f} to {max(costs):.1f})")


def fresh(code, *arguments):
    command = [sys.executable, "-c", code, *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def beginnings(folder):
    code = "import time; t = time.perf_counter(); import millrace; print(time.perf_counter() - t)"
    took = [fresh(code) * 1e3 for _ in range(15)]
    print(f"import: {statistics.median(took):.0f} ms ({min(took):.0f} to {max(took):.0f})")
    library = Path(os.environ["MILLRACE_LIBRARY"]).resolve()
    program = Path(folder, "first")
    source = str(Path(HERE).with_name("first_batch.c"))
    include = str(Path(HERE).parents[2] / "app" / "capi")
    subprocess.run(["cc", "-O2", source, f"-I{include}", str(library), f"-Wl,-rpath,{library.parent}", "-o", program], check=True)
    code = (
        "import time, millrace, numpy\n"
        "t = time.perf_counter()\n"
        "loader = millrace.Loader('classification')\n"
        "next(iter(loader))\n"
        "print(time.perf_counter() - t)"
    )
    python, engine = [], []
    for _ in range(15):
        python.append(fresh(code) * 1e3)
        engine.append(float(subprocess.run([program], check=True, capture_output=True, text=True).stdout))
    more = [a - b for a, b in zip(python, engine)]
    print(
        f"from opening to the first batch of photos: {statistics.median(python):.0f} ms in Python,"
        f" {statistics.median(engine):.0f} ms in C, {statistics.median(more):.0f} ms more in the middle of 15 pairs"
    )


def memory(epochs):
    import millrace

    def resident():
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    with millrace.Loader(small(64, 8)) as loader:
        for epoch in range(epochs):
            for _ in loader:
                pass
            if epoch + 1 == epochs // 10:
                before = resident()
    print(f"resident memory from epoch {epochs // 10} to epoch {epochs}: {resident() - before:+.0f} kB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--warm", type=float, default=1)
    parser.add_argument("--iterate", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.iterate:
        print(iterate(options.iterate, options.warm, options.seconds))
        return
    with tempfile.TemporaryDirectory() as folder:
        beginnings(folder)
        own_cost()
        memory(1000)
        rates(options, folder)


if __name__ == "__main__":
    main()
