#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What reading ahead costs with data in the page cache, and what it gains without.

    experiments/formats/read_ahead.py MILLRACE [--blocks N] [--seconds S] [--only WORD]

Photos as files and as records, shuffled, two workers; read alone and decoded. Storage: the page
cache, a disk whose pages were dropped, and one that answers after 4 ms (slow_storage.c). Up to 64
samples ahead, through the page cache and past it. Prints a line each and writes read_ahead.csv
next to this file (not with --only).
"""
import argparse
import json
import pathlib
import statistics
import tempfile

from format_bench import Bench, chain, ratio, write_table

import slow_storage

HERE = pathlib.Path(__file__).parent
# read_ahead, read_by; the first is what the others are compared with
SETTINGS = [(0, "cache"), (4, "cache"), (16, "cache"), (64, "cache"), (0, "direct"), (64, "direct")]
WORK = {
    "read": [],
    "job": [("decode", {}), ("random_resized_crop", {"height": 224, "width": 224}), ("flip", {}),
            ("normalise", {}), ("precision", {"dtype": "f32", "layout": "nchw"})],
}
COLUMNS = ["format", "work", "storage", "read_ahead", "read_by", "samples_per_second", "ratio"]


def pipelines(bench, nodes, after, name):
    """A pipeline file for each of SETTINGS."""
    made = {}
    (kind, params), *rest = nodes
    for ahead, by in SETTINGS:
        made[ahead, by] = file = bench.folder / f"{name}-{ahead}-{by}.millrace.json"
        file.write_text(json.dumps(chain(
            (kind, {**params, "read_ahead": ahead, "read_by": by}), ("shuffle", {"mode": "full"}),
            ("workers", {"count": 2}), *rest, *after, ("batch", {"size": 32}),
            ("prefetch", {"batches": 2}), ("drain", {}))))
    return made


def measure(bench, form):
    whole = bench.folder / "source.millrace.json"
    whole.write_text(json.dumps(chain(("image_folder", {"paths": ["sample:imagenet"]}),
                                      ("batch", {"size": 1}), ("drain", {}))))
    made, why = bench.convert(whole, form, [])
    if made is None:
        raise SystemExit(f"{form}: {why}")
    library = slow_storage.compiled(bench.folder)
    storages = {
        "page cache": (False, None),
        "disk": (True, None),
        "4 ms": (False, slow_storage.environment(library, bench.folder, {"latency_ms": 4})),
    }
    for work, after in WORK.items():
        files = pipelines(bench, made[0], after, f"{form}-{work}")
        for storage, (cold, env) in storages.items():
            found = bench.rates(files, cold, env)
            for setting in SETTINGS:
                rates = found[setting]
                yield {"format": form, "work": work, "storage": storage, "read_ahead": setting[0],
                       "read_by": setting[1], "samples_per_second": f"{statistics.fmean(rates):.0f}",
                       "ratio": "{:.2f} [{:.2f}, {:.2f}]".format(*ratio(rates,
                                                                        found[SETTINGS[0]]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--blocks", type=int, default=5, choices=range(2, 11))
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--only", default="", help="of the formats folder and tfrecord")
    arguments = parser.parse_args()
    millrace = str(pathlib.Path(arguments.millrace).resolve())
    rows = []
    for form in ("folder", "tfrecord"):
        if arguments.only not in form:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for row in measure(Bench(millrace, pathlib.Path(folder), arguments), form):
                rows.append(row)
                print("  ".join(f"{key}={row[key]}" for key in COLUMNS), flush=True)
    if not arguments.only:
        write_table(HERE / "read_ahead.csv", COLUMNS, rows)


main()
