#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Answers six common questions about a loader with Millrace's commands.

    experiments/questions/run.py MILLRACE [--only WORD] [--seconds S] [--repeats N]

Prints what the commands print and keeps it: results/NAME.txt next to this file (not with --only).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import chain


PHOTOS = ("image_folder", {"paths": ["sample:imagenet"], "subset": "train"})
SHUFFLE = ("shuffle", {})
DECODE = ("decode", {})
CROP = ("random_resized_crop", {"height": 224, "width": 224})
FLIP = ("flip", {})
FLOATS = [("normalise", {}), ("precision", {"dtype": "f32", "layout": "nchw"})]
DRAIN = ("drain", {})


def workers(count):
    return ("workers", {"count": count})


def batch(size):
    return ("batch", {"size": size})


def prefetch(batches):
    return ("prefetch", {"batches": batches})


class Asker:
    def __init__(self, millrace, folder, arguments):
        self.millrace = millrace
        self.folder = folder
        self.measure = ["--seconds", str(arguments.seconds), "--warmup", "0.5", "--repeats",
                        str(arguments.repeats), "--no-store"]
        self.said = []

    def file(self, name, document):
        path = self.folder / f"{name}.millrace.json"
        path.write_text(json.dumps(document))
        return path.name

    def run(self, *words):
        """The output of a command, below its command line."""
        done = subprocess.run([self.millrace, *words], capture_output=True, text=True,
                              cwd=self.folder)
        self.say("$ millrace " + " ".join(word for word in words))
        self.say(done.stdout.rstrip().replace(f"{self.folder}/", ""))
        if done.returncode != 0:
            sys.exit(f"millrace {' '.join(words)}: {done.stderr.strip()}")

    def say(self, text):
        print(text, flush=True)
        self.said.append(text)

    def sweep(self, pipeline, *vary):
        self.run("sweep", pipeline, *(word for axis in vary for word in ("--vary", axis)),
                 *self.measure)

    def compare(self, one, other):
        self.run("compare", one, other, *self.measure)


def workers_and_batches(ask):
    """How many workers, and which batch size, for PNG pairs?"""
    ask.sweep("super-resolution", "workers.count=1,2,3,4,6,8,12,16", "batch.size=4,16,64,256")


def light_and_heavy_model(ask):
    """From which step time on does the loader not matter?"""
    photos = [PHOTOS, SHUFFLE, workers(1), DECODE, CROP, FLIP, *FLOATS, batch(64), prefetch(2)]
    pipeline = ask.file("photos", chain(*photos, ("emulated_step", {"seconds": 0.02})))
    ask.sweep(pipeline, "emulated_step.seconds=0.02,0.04,0.08,0.16,0.32", "workers.count=1,2,4")


def one_worker_or_many(ask):
    """Do more workers help where augmentation is heavy?"""
    heavy = [("affine", {"rotation": 30, "zoom_min": 0.8, "zoom_max": 1.2}), ("jitter", {}),
             ("blur", {"kernel": 9, "sigma_min": 0.5, "sigma_max": 2})]
    pipeline = ask.file("heavy", chain(PHOTOS, SHUFFLE, workers(1), DECODE, CROP, FLIP, *heavy,
                                       *FLOATS, batch(32), prefetch(4), DRAIN))
    ask.sweep(pipeline, "workers.count=1,2,3,4,8,16")


def batch_then_map(ask):
    """Packed records: parse whole batches, or record by record?"""
    source = [("tfrecord", {"paths": ["sample:chess"], "content": "bytes"}), ("shuffle", {
        "mode": "window", "window": 10000})]
    parse = [("example_parse", {"field": "record", "keys": [
        "packed=d:u8:194", "score=s:i64:scalar"]}), ("bit_unpack", {"field": "packed", "parts": [
            "board=0:8x8x24:f64", "flags=1536:10:f64", "mate=1546:scalar"]})]
    end = [prefetch(2), DRAIN]
    by_batch = ask.file("batch-then-map", chain(*source, batch(512), workers(2), *parse, *end))
    by_record = ask.file("map-then-batch", chain(*source, workers(2), *parse, batch(512), *end))
    ask.compare(by_record, by_batch)


def one_by_one(ask):
    """Image pairs and a step: what do prefetch, a second worker and a cache bring, one by one?"""
    def pairs(count, batches, cached):
        cache = [("memory_cache", {"limit": 2 << 30})] if cached else []
        return chain(("paired_folders", {"input": "sample:deblurring/blurred",
                                         "target": "sample:deblurring/sharp", "pair": "target"}),
                     SHUFFLE, workers(count), DECODE, *cache,
                     ("random_crop", {"height": 256, "width": 256}), FLIP,
                     ("precision", {"dtype": "f32", "layout": "nchw"}), batch(8),
                     prefetch(batches), ("emulated_step", {"seconds": 0.01}))

    base = ask.file("base", pairs(1, 1, False))
    ask.compare(base, ask.file("prefetch-4", pairs(1, 4, False)))
    ask.compare(base, ask.file("two-workers", pairs(2, 1, False)))
    ask.compare(base, ask.file("cache", pairs(1, 1, True)))
    ask.compare(base, ask.file("all-three", pairs(2, 4, True)))


def files_or_containers(ask):
    """The same photos as loose files, in LMDB, in HDF5 and in TFRecord: which reads fastest?"""
    ask.file("loose", chain(PHOTOS, SHUFFLE, workers(2), DECODE, CROP, FLIP, batch(64),
                            prefetch(2), DRAIN))
    for form in ("lmdb", "hdf5", "tfrecord"):
        ask.run("convert", "loose.millrace.json", f"photos-{form}", "--to", form, "-o",
                f"read-{form}.millrace.json")
        read = json.loads((ask.folder / f"read-{form}.millrace.json").read_text())
        source = next(n for n in read["nodes"] if n["id"] not in {w["to"] for w in read["wires"]})
        ask.file(form, chain((source["kind"], source["params"]), SHUFFLE, workers(2), DECODE, CROP,
                             FLIP, batch(64), prefetch(2), DRAIN))
    for form in ("lmdb", "hdf5", "tfrecord"):
        ask.compare("loose.millrace.json", f"{form}.millrace.json")


QUESTIONS = [workers_and_batches, light_and_heavy_model, one_worker_or_many, batch_then_map,
             one_by_one, files_or_containers]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    millrace = str(pathlib.Path(arguments.millrace).resolve())
    for question in QUESTIONS:
        if arguments.only not in question.__name__:
            continue
        with tempfile.TemporaryDirectory() as folder:
            ask = Asker(millrace, pathlib.Path(folder), arguments)
            ask.say(f"# {question.__doc__}")
            question(ask)
        if not arguments.only:
            (HERE / "results").mkdir(exist_ok=True)
            (HERE / "results" / f"{question.__name__}.txt").write_text("\n".join(ask.said) + "\n")


main()
