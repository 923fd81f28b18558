#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The same samples in every format: conversion, size, reading alone and a whole job, warm and cold.

    experiments/formats/run.py MILLRACE [--blocks N] [--seconds S] [--only WORD]

Prints a table a data set, whose rows in results.csv next to this file are replaced.
"""
import argparse
import json
import pathlib
import statistics
import tempfile

from format_bench import FORMATS, IN_ORDER, Bench, chain, decodes, keep_rows, ratio

HERE = pathlib.Path(__file__).parent

def to_floats(size):
    return [("random_crop", {"height": size, "width": size}), ("flip", {}),
            ("precision", {"dtype": "f32", "layout": "nchw"})]


PHOTO_JOB = [("decode", {}), ("random_resized_crop", {"height": 224, "width": 224}), ("flip", {}),
             ("normalise", {}), ("precision", {"dtype": "f32", "layout": "nchw"})]
SMALL_JOB = [("decode", {}), ("resize", {"height": 32, "width": 32}), ("flip", {})]
# name, what is converted, flags of the conversion, the job after the source, batch size
SETS = [
    ("photos", [("image_folder", {"paths": ["sample:imagenet"]})], [], PHOTO_JOB, 64),
    ("small pictures", [("image_folder", {"paths": ["sample:cats-vs-dogs"]})],
     ["--resize", "32x32", "--png"], SMALL_JOB, 256),
    ("pairs", [("paired_folders", {"input": "sample:pairs984/low", "target": "sample:pairs984/high",
                                   "pair": "target"})], [], [("decode", {}), *to_floats(48)], 16),
    ("masks", [("paired_folders", {"input": "sample:camvid/images",
                                   "target": "sample:camvid/labels", "pair": "mask"})], [],
     [("decode", {}), *to_floats(320)], 8),
    ("raw pictures", [("image_folder", {"paths": ["sample:imagenet"]})],
     ["--resize", "128x128", "--raw"], [("flip", {})], 64),
    ("records", [("tfrecord", {"paths": ["sample:chess"], "content": "bytes"})], [], [], 512),
]


def drop_failing(bench, table, rows):
    """Leaves out what does not run, with a note why."""
    for row in rows:
        form = row["format"]
        if form not in table:
            continue
        try:
            bench.rate(table[form], False)
        except SystemExit as why:
            row["note"] = str(why).splitlines()[0].split(": ", 1)[-1]
            del table[form]


def measure(bench, name, source, flags, job, batch):
    rows, readers, jobs = [], {}, {}
    whole = bench.folder / "source.millrace.json"
    whole.write_text(json.dumps(chain(*source, ("batch", {"size": 1}), ("drain", {}))))
    for form in FORMATS:
        made, why = bench.convert(whole, form, flags)
        row = {"set": name, "format": form}
        rows.append(row)
        if made is None:
            row["note"] = why
            continue
        nodes, (row["bytes"], row["files"]), said = made
        after = [node for node in job if node[0] != "decode"]
        if decodes(bench.folder / f"read-{form}.millrace.json"):
            after.insert(0, ("decode", {}))
        row["convert_seconds"] = said.get("seconds")
        row["samples"] = said.get("samples")
        row["note"] = "; ".join(said.get("notes", []))
        end = [("batch", {"size": batch}), ("prefetch", {"batches": 2}), ("drain", {})]
        two = [("workers", {"count": 2})]
        order = [] if form in IN_ORDER else [("shuffle", {"mode": "full"})]
        for kind, more, table in (("read", [], readers), ("job", after, jobs)):
            file = bench.folder / f"{kind}-{form}.millrace.json"
            file.write_text(json.dumps(chain(*nodes[:1], *order, *two, *nodes[1:], *more, *end)))
            table[form] = file
    for what, table in (("read", readers), ("job", jobs)):
        drop_failing(bench, table, rows)
        for state in ("warm", "cold"):
            found = bench.rates(table, state == "cold")
            # Loose files where the samples can be such, else the first format.
            base = next(iter(found.values()))
            for row in rows:
                if row["format"] in found:
                    rates = found[row["format"]]
                    row[f"{what}_{state}"] = f"{statistics.fmean(rates):.0f}"
                    row[f"{what}_{state}_ratio"] = "{:.2f} [{:.2f}, {:.2f}]".format(
                        *ratio(rates, base))
    return rows


COLUMNS = ["set", "format", "samples", "files", "bytes", "convert_seconds"] + [
    f"{what}_{state}{part}" for what in ("read", "job") for state in ("warm", "cold")
    for part in ("", "_ratio")] + ["note"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--blocks", type=int, default=5, choices=range(2, 11))
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    millrace = str(pathlib.Path(arguments.millrace).resolve())
    for name, source, flags, job, batch in SETS:
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows = measure(Bench(millrace, pathlib.Path(folder), arguments), name, source, flags,
                           job, batch)
        for row in rows:
            print("  ".join(f"{key}={row[key]}" for key in COLUMNS if key in row), flush=True)
        keep_rows(HERE / "results.csv", COLUMNS, [each[0] for each in SETS], rows)


main()
