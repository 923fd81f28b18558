#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The same samples in every format: conversion, size, reading alone and a whole job, warm and cold.

    experiments/formats/run.py MILLRACE [--blocks N] [--seconds S] [--only WORD]

Prints a table a data set and writes results.csv beside this file (not with --only).
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import chain, write_table

# Two-sided 95 % quantile of Student's t for so many degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
FORMATS = ["folder", "tfrecord", "webdataset", "lmdb", "mds", "recordio", "hdf5", "numpy"]
ENDINGS = {"webdataset": ".tar"}


def to_floats(size):
    return [("random_crop", {"height": size, "width": size}), ("flip", {}),
            ("precision", {"dtype": "f32", "layout": "nchw"})]


PHOTO_JOB = [("decode", {}), ("random_resized_crop", {"height": 224, "width": 224}), ("flip", {}),
             ("normalise", {}), ("precision", {"dtype": "f32", "layout": "nchw"})]
SMALL_JOB = [("decode", {}), ("resize", {"height": 32, "width": 32}), ("flip", {})]
# name, what is converted, flags of the conversion, the job behind the source, batch size
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
RUN_KINDS = {"shuffle", "workers", "batch", "prefetch", "drain", "decode"}


def in_a_row(document):
    """The nodes of a pipeline document in the order of its wires."""
    after = {wire["from"]: wire["to"] for wire in document["wires"]}
    nodes = {node["id"]: node for node in document["nodes"]}
    at = next(i for i in nodes if i not in set(after.values()))
    while at:
        yield nodes[at]
        at = after.get(at)


def reading(pipeline):
    """The nodes of a proposed pipeline that read a sample: up to its decoder or batch."""
    nodes = []
    for node in in_a_row(json.loads(pipeline.read_text())):
        if node["kind"] in ("decode", "batch"):
            break
        if node["kind"] not in RUN_KINDS:
            nodes.append((node["kind"], node["params"]))
    return nodes


def size_of(path):
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]
    return sum(f.stat().st_size for f in files), len(files)


class Bench:
    def __init__(self, millrace, folder, arguments):
        self.millrace, self.folder, self.arguments = millrace, folder, arguments

    def run(self, *words):
        return subprocess.run([self.millrace, *map(str, words)], capture_output=True, text=True,
                              cwd=self.folder)

    def rate(self, file, cold):
        flags = ["--cold"] if cold else ["--seconds", self.arguments.seconds, "--warmup", 0.5]
        done = self.run("run", file, "--json", "--no-store", "--repeats", 1, *flags)
        if done.returncode != 0:
            raise SystemExit(f"{file}: {done.stderr.strip()}")
        return json.loads(done.stdout)["samples_per_second"]["mean"]

    def convert(self, source, form, flags):
        """The nodes that read the converted set, its facts; or why it cannot be had."""
        target = self.folder / f"set-{form}{ENDINGS.get(form, '')}"
        pipeline = self.folder / f"read-{form}.millrace.json"
        done = self.run("convert", source, target, "--to", form, "-o", pipeline, "--json", *flags)
        if done.returncode != 0:
            return None, done.stderr.strip().splitlines()[0]
        return (reading(pipeline), size_of(target), json.loads(done.stdout)), ""

    def rates(self, pipelines, cold):
        """A list of rates a format: blocks in which each runs once, in random order."""
        order, found = random.Random(1), {form: [] for form in pipelines}
        for _ in range(self.arguments.blocks):
            for form in order.sample(list(pipelines), len(pipelines)):
                found[form].append(self.rate(pipelines[form], cold))
        return found


def ratio(rates, base):
    """Geometric mean of rates over base with its 95 % interval, paired."""
    logs = [math.log(a / b) for a, b in zip(rates, base)]
    middle = statistics.fmean(logs)
    half = 0.0
    if len(logs) > 1:
        half = STUDENT[len(logs) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return [math.exp(middle + d) for d in (0, -half, half)]


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
        row["convert_seconds"] = said.get("seconds")
        row["samples"] = said.get("samples")
        end = [("batch", {"size": batch}), ("prefetch", {"batches": 2}), ("drain", {})]
        two = [("workers", {"count": 2})]
        order = [("shuffle", {"mode": "full"})] if form in ("folder", "lmdb", "hdf5", "numpy",
                                                            "mds", "recordio") else []
        for kind, behind, table in (("read", [], readers), ("job", job, jobs)):
            file = bench.folder / f"{kind}-{form}.millrace.json"
            file.write_text(json.dumps(chain(*nodes[:1], *order, *two, *nodes[1:], *behind, *end)))
            table[form] = file
    for what, table in (("read", readers), ("job", jobs)):
        for state in ("warm", "cold"):
            found = bench.rates(table, state == "cold")
            for row in rows:
                if row["format"] in found:
                    rates = found[row["format"]]
                    row[f"{what}_{state}"] = f"{statistics.fmean(rates):.0f}"
                    row[f"{what}_{state}_ratio"] = "{:.2f} [{:.2f}, {:.2f}]".format(
                        *ratio(rates, found["folder"]))
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
    rows = []
    for name, source, flags, job, batch in SETS:
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows += measure(Bench(millrace, pathlib.Path(folder), arguments), name, source, flags,
                            job, batch)
        for row in rows:
            if row["set"] == name:
                print("  ".join(f"{key}={row[key]}" for key in COLUMNS if key in row), flush=True)
    if arguments.only:
        return
    write_table(HERE / "results.csv", COLUMNS, rows)


main()
