# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: conversions, the pipelines that read them, ratios."""
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lib"))
from pipelines import chain, keep_rows, write_table  # noqa: F401 (for the scripts)

# Two-sided 95 % quantile of Student's t, by degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
FORMATS = ["folder", "tfrecord", "webdataset", "mds", "recordio", "hdf5", "numpy", "lmdb"]
ENDINGS = {"webdataset": ".tar"}
IN_ORDER = {"tfrecord", "webdataset"}  # read from front to back
PARSE_KINDS = {"example_parse", "raw_to_array", "bit_unpack"}


def in_a_row(document):
    """The nodes of a pipeline document in the order of its wires."""
    after = {wire["from"]: wire["to"] for wire in document["wires"]}
    nodes = {node["id"]: node for node in document["nodes"]}
    at = next(i for i in nodes if i not in set(after.values()))
    while at:
        yield nodes[at]
        at = after.get(at)


def reading(pipeline):
    """The nodes of a proposed pipeline that read a sample: its source, and nodes that unpack it."""
    source, *others = in_a_row(json.loads(pipeline.read_text()))
    return [(node["kind"], node["params"])
            for node in (source, *(node for node in others if node["kind"] in PARSE_KINDS))]


def decodes(pipeline):
    """Whether its pictures are files."""
    return any(node["kind"] == "decode" for node in in_a_row(json.loads(pipeline.read_text())))


def size_of(path):
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]
    return sum(f.stat().st_size for f in files), len(files)


class Bench:
    def __init__(self, millrace, folder, arguments):
        self.millrace, self.folder, self.arguments = millrace, folder, arguments

    def run(self, *words, env=None):
        return subprocess.run([self.millrace, *map(str, words)], capture_output=True, text=True,
                              cwd=self.folder, env=env)

    def rate(self, file, cold, env=None):
        flags = ["--cold"] if cold else ["--seconds", self.arguments.seconds, "--warmup", 0.5]
        done = self.run("run", file, "--json", "--no-store", "--repeats", 1, *flags, env=env)
        if done.returncode != 0:
            raise SystemExit(f"{file}: {done.stderr.strip()}")
        return json.loads(done.stdout)["samples_per_second"]["mean"]

    def convert(self, source, form, flags):
        """The nodes that read the converted set, and its facts; or why it cannot be converted."""
        target = self.folder / f"set-{form}{ENDINGS.get(form, '')}"
        pipeline = self.folder / f"read-{form}.millrace.json"
        done = self.run("convert", source, target, "--to", form, "-o", pipeline, "--json", *flags)
        if done.returncode != 0:
            return None, done.stderr.strip().splitlines()[0]
        return (reading(pipeline), size_of(target), json.loads(done.stdout)), ""

    def rates(self, pipelines, cold, env=None):
        """A list of rates for each pipeline: each runs once per block, in random order."""
        order, found = random.Random(1), {form: [] for form in pipelines}
        for _ in range(self.arguments.blocks):
            for form in order.sample(list(pipelines), len(pipelines)):
                found[form].append(self.rate(pipelines[form], cold, env))
        return found


def ratio(rates, base):
    """Geometric mean of rates over base with its 95 % interval, paired."""
    logs = [math.log(a / b) for a, b in zip(rates, base)]
    middle = statistics.fmean(logs)
    half = 0.0
    if len(logs) > 1:
        half = STUDENT[len(logs) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return [math.exp(middle + d) for d in (0, -half, half)]
