#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Reading a container warm, against a bare loop over the same bytes and against memcpy.

    experiments/formats/readers.py MILLRACE BARE_READ [--blocks N] [--seconds S] [--threads N]
                                   [--only WORD]

Two data sets in every format: photos as files, and raw pictures of 224 x 224. A block is a run of
the engine (source, workers, batch; samples as they lie) and one of each limit: a loop that holds
what it reads as long as the batches do, one that reads into one buffer a thread, and memcpy; then
the same in the opposite order, so that a machine whose memory drifts is the same for all of them.
Prints a table; a set's rows in readers.csv next to this file are replaced.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

from format_bench import FORMATS, Bench, chain, keep_rows, ratio, reading

HERE = pathlib.Path(__file__).parent
# Sets of 300 MB: what fits into the processor's cache is read from there, as no data of a training
# is. The photos are 480.
COPIES = 6
# name, what is converted, flags of the conversion, batch size
SETS = [
    ("photos", [("image_folder", {"paths": ["sample:imagenet"] * COPIES})], [], 64),
    ("raw 224", [("synthetic", {"content": "image", "height": 224, "width": 224, "count": 2000,
                                "classes": 0})], ["--raw"], 64),
]
QUEUE = 2
# Batches in memory: those of the queue, one being filled, one at the consumer.
SLOTS = QUEUE + 2
LIMITS = {"bare_read": "held", "one_buffer": "one", "memcpy": "memcpy"}
COLUMNS = ["set", "format", "samples", "bytes_each", "gb_per_second",
           *(f"of_{limit}" for limit in LIMITS), "note"]


def files_of(path):
    """Those that hold samples: the large ones."""
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.is_file())
    largest = max(file.stat().st_size for file in files)
    return [file for file in files if file.stat().st_size > largest / 20]


def limit(program, *words):
    done = subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def ways(form, nodes):
    """What is measured of a format: its name and the nodes that read it."""
    yield form, nodes
    if form == "tfrecord":
        kind, params = nodes[0]
        yield "tfrecord, sums unchecked", [(kind, {**params, "check_sums": False}), *nodes[1:]]


def measured(bench, bare, arguments, pipeline, how, each, batch, files):
    """Bytes a second of the engine and of each limit, one a block."""
    record = [] if how == "files" else [each]

    def loop(memory):
        return limit(bare, how, arguments.threads, arguments.seconds, memory, *record, *files)

    runs = {"engine": lambda: bench.rate(pipeline, False) * each,
            "held": lambda: loop(SLOTS * batch * each),
            "one": lambda: loop(0),
            "memcpy": lambda: limit(bare, "memcpy", arguments.threads, arguments.seconds)}
    found = {word: [] for word in runs}
    for _ in range(arguments.blocks):
        block = [(word, runs[word]()) for word in [*runs, *reversed(runs)]]
        for word in runs:
            found[word].append(statistics.fmean(rate for of, rate in block if of == word))
    return found


def measure(bench, bare, arguments, name, source, flags, batch):
    whole = bench.folder / "source.millrace.json"
    whole.write_text(json.dumps(chain(*source, ("batch", {"size": 1}), ("drain", {}))))
    for form in FORMATS:
        made, why = bench.convert(whole, form, flags)
        if made is None:
            yield {"set": name, "format": form, "note": why}
            continue
        nodes, _, said = made
        files = files_of(pathlib.Path(said["target"]))
        each = sum(file.stat().st_size for file in files) // said["samples"]
        for label, reads in ways(form, nodes):
            pipeline = bench.folder / "reader.millrace.json"
            pipeline.write_text(json.dumps(chain(
                *reads[:1], ("workers", {"count": arguments.threads}), *reads[1:],
                ("batch", {"size": batch}), ("prefetch", {"batches": QUEUE}), ("drain", {}))))
            how = "files" if form == "folder" else "read"
            found = measured(bench, bare, arguments, pipeline, how, each, batch, files)
            yield {"set": name, "format": label, "samples": said["samples"], "bytes_each": each,
                   "gb_per_second": f"{statistics.fmean(found['engine']) / 1e9:.2f}",
                   **{f"of_{key}": "{:.2f} [{:.2f}, {:.2f}]".format(
                       *ratio(found["engine"], found[word]))
                      for key, word in LIMITS.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("bare_read")
    parser.add_argument("--blocks", type=int, default=5, choices=range(2, 11))
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    millrace, bare = (str(pathlib.Path(p).resolve()) for p in (arguments.millrace,
                                                               arguments.bare_read))
    for name, source, flags, batch in SETS:
        if arguments.only not in name:
            continue
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(millrace, pathlib.Path(folder), arguments)
            for row in measure(bench, bare, arguments, name, source, flags, batch):
                rows.append(row)
                print("  ".join(f"{key}={value}" for key, value in row.items()), flush=True)
        keep_rows(HERE / "readers.csv", COLUMNS, [each[0] for each in SETS], rows)


main()
