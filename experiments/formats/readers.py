#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Reading a container warm, against a bare loop over the same bytes and against memcpy.

    experiments/formats/readers.py MILLRACE BARE_READ [--blocks N] [--seconds S] [--threads N]

Two data sets in every format: photos as files, and raw pictures of 224 x 224. A block is a run of
the engine (source, workers, batch) and one of each limit. Prints a table and writes readers.csv
beside this file.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

from format_bench import FORMATS, IN_ORDER, Bench, chain, ratio, write_table

HERE = pathlib.Path(__file__).parent
# name, what is converted, flags of the conversion, batch size
SETS = [
    ("photos", [("image_folder", {"paths": ["sample:imagenet"]})], [], 64),
    ("raw 224", [("synthetic", {"content": "image", "height": 224, "width": 224, "count": 2000,
                                "classes": 0})], [], 64),
]
COLUMNS = ["set", "format", "samples", "bytes_each", "gb_per_second", "of_bare_read", "of_memcpy",
           "note"]


def files_of(path):
    """Those that hold samples: the large ones."""
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.is_file())
    largest = max(file.stat().st_size for file in files)
    return [file for file in files if file.stat().st_size > largest / 20]


def limit(program, *words):
    done = subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def measure(bench, bare, arguments, name, source, flags, batch):
    whole = bench.folder / "source.millrace.json"
    whole.write_text(json.dumps(chain(*source, ("batch", {"size": 1}), ("drain", {}))))
    for form in FORMATS:
        made, why = bench.convert(whole, form, flags)
        row = {"set": name, "format": form}
        if made is None:
            yield {**row, "note": why}
            continue
        nodes, _, said = made
        target = pathlib.Path(said["target"])
        files = files_of(target)
        each = sum(file.stat().st_size for file in files) // said["samples"]
        order = [] if form in IN_ORDER else [("shuffle", {"mode": "full"})]
        pipeline = bench.folder / f"read-{form}.millrace.json"
        pipeline.write_text(json.dumps(chain(
            *nodes[:1], *order, ("workers", {"count": arguments.threads}), *nodes[1:],
            ("batch", {"size": batch}), ("prefetch", {"batches": 2}), ("drain", {}))))
        how = ["files"] if form == "folder" else ["read"]
        record = [] if form == "folder" else [each]
        found = {"engine": [], "read": [], "memcpy": []}
        for _ in range(arguments.blocks):
            found["engine"].append(bench.rate(pipeline, False) * each)
            found["read"].append(limit(bare, *how, arguments.threads, arguments.seconds, *record,
                                       *files))
            found["memcpy"].append(limit(bare, "memcpy", arguments.threads, arguments.seconds))
        yield {**row, "samples": said["samples"], "bytes_each": each,
               "gb_per_second": f"{statistics.fmean(found['engine']) / 1e9:.2f}",
               **{f"of_{key}": "{:.2f} [{:.2f}, {:.2f}]".format(
                   *ratio(found["engine"], found[word]))
                  for key, word in (("bare_read", "read"), ("memcpy", "memcpy"))}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("bare_read")
    parser.add_argument("--blocks", type=int, default=5, choices=range(2, 11))
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    millrace, bare = (str(pathlib.Path(p).resolve()) for p in (arguments.millrace,
                                                               arguments.bare_read))
    rows = []
    for name, source, flags, batch in SETS:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(millrace, pathlib.Path(folder), arguments)
            for row in measure(bench, bare, arguments, name, source, flags, batch):
                rows.append(row)
                print("  ".join(f"{key}={value}" for key, value in row.items()), flush=True)
    write_table(HERE / "readers.csv", COLUMNS, rows)


main()
