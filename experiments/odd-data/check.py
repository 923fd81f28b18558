# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Draws a case, inspects it, runs what is proposed, and compares the samples' values."""

import base64
import io
import json
import subprocess

import numpy as np
from PIL import Image, ImageOps

import case as cases
import draw

ALWAYS = ["--epochs", 1, "--warmup", 0, "--no-store", "--set", "batch.size=1"]
NEVER_SAID = ["Drop ", "(B)"]  # gestures and keys of the workbench


class Check:
    """One case. `wrong` has a sentence for each difference."""

    def __init__(self, program, case, folder):
        self.program = program
        self.case = case
        self.folder = folder
        self.wrong = []
        self.page = ""

    def command(self, *arguments):
        done = subprocess.run(
            [self.program, *map(str, arguments)], capture_output=True, timeout=300
        )
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode(
            "utf-8", "replace"
        )

    def run(self):
        self.case.draw(draw.Folder(self.folder))
        self.path = self.folder / self.case.below
        code, page, errors = self.command("inspect", self.path)
        self.page = page + errors
        flat = " ".join(self.page.split())
        self.wrong += [f"does not say {part!r}" for part in self.case.said if part not in flat]
        self.wrong += [
            f"says {part!r}" for part in self.case.unsaid + NEVER_SAID if part in flat
        ]
        if self.case.samples:
            self.proposal()
        elif code != 1:
            self.wrong.append(f"exit code {code}, not 1")

    def proposal(self):
        pipeline = self.folder.with_suffix(".millrace.json")
        code, text, errors = self.command("inspect", self.path, "--json", "-o", pipeline)
        if code:
            self.wrong.append(f"inspect: {errors}")
            return
        found = json.loads(text)
        if found["samples"] != self.case.samples:
            self.wrong.append(f"{found['samples']} samples, not {self.case.samples}")
        names = [entry["name"] for entry in found["classes"]]
        if self.case.classes is not None and names != self.case.classes:
            self.wrong.append(f"classes {names}, not {self.case.classes}")
        self.ran(pipeline)
        if self.case.labels or self.case.pixels or self.case.masks:
            self.check_values(pipeline)
        if self.case.values:
            self.check_arrays(pipeline)

    def ran(self, pipeline, *options):
        """Runs one epoch, in which exactly the samples of the case may fail."""
        expected = self.case.failures
        code, text, errors = self.command(
            "run", pipeline, *ALWAYS, "--max-failures",
            self.case.samples if expected or self.case.may_fail else 0,
            "--repeats", 1, "--json", *options,
        )
        if code:
            self.wrong.append(f"run: {errors}")
            return
        failed = {entry["sample"]: entry["reason"] for entry in json.loads(text)["failures"]}
        for name in failed.keys() - expected.keys():
            if self.case.may_fail.get(name, "?") in failed[name]:
                continue
            self.wrong.append(f"fails: {name}: {failed[name]}")
        for name, reason in expected.items():
            if name not in failed or reason not in failed[name]:
                self.wrong.append(f"{name}: {failed.get(name, 'no failure')!r}, not {reason!r}")

    def check_values(self, pipeline):
        """Compares decoded samples, in the order of the source."""
        kinds = {node["kind"]: node["id"] for node in json.loads(pipeline.read_text())["nodes"]}
        node = kinds.get("decode", next(iter(kinds.values())))
        settings = [text.format(folder=self.folder) for text in self.case.settings]
        options = [part for text in settings for part in ("--set", text)]
        code, text, errors = self.command(
            "preview", pipeline, "--node", node, "--no-random", "--count", 16, *options
        )
        if code:
            self.wrong.append(f"preview: {errors}")
            return
        samples = [json.loads(line) for line in text.splitlines()]
        good = [sample for sample in samples if not sample["error"]]
        fields = {sample["name"]: fields_of(sample) for sample in good}
        labels = [int(value["label"]) for value in fields.values() if "label" in value]
        if self.case.labels is not None and labels != self.case.labels:
            self.wrong.append(f"labels {labels}, not {self.case.labels}")
        for field, wanted in (("image", self.case.pixels), ("mask", self.case.masks)):
            for name, pixels in wanted.items():
                found = fields.get(name, {}).get(field)
                if found is None and name in self.case.may_fail:
                    continue
                self.compare(f"{field} of {name}", found, self.wanted(name, pixels))

    def check_arrays(self, pipeline):
        """Compares the fields of the batches, in the order of the source."""
        dump = self.folder.with_suffix(".dump")
        self.ran(pipeline, "--no-random", "--dump", dump, "--dump-batches", 1000)
        for field, values in self.case.values.items():
            files = sorted(dump.glob(f"batch_?????.{field}.npy"))
            found = np.concatenate([np.load(file) for file in files] or [[]])
            self.compare(field, found, np.asarray(values))

    def wanted(self, name, pixels):
        if pixels is not cases.PILLOW:
            return np.asarray(pixels)
        with Image.open(self.folder / name) as image:
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))

    def compare(self, what, found, wanted):
        if found is None:
            self.wrong.append(f"{what}: there is none")
            return
        if found.size != wanted.size or found.squeeze().shape != wanted.squeeze().shape:
            self.wrong.append(f"{what}: shape {found.shape}, not {wanted.shape}")
            return
        difference = np.abs(found.squeeze().astype("f8") - wanted.squeeze().astype("f8"))
        if not (difference <= self.case.tolerance).all():
            self.wrong.append(f"{what}: {found.tolist()}, not {wanted.tolist()}"[:300])


def fields_of(sample):
    """The arrays of a previewed sample, by the names of its fields."""
    arrays = {}
    for field in sample["fields"]:
        if field["png"]:
            with Image.open(io.BytesIO(base64.b64decode(field["png"]))) as image:
                pixels = np.asarray(image)
            arrays[field["name"]] = indices_of(pixels, field) if field["mask_classes"] else pixels
        elif field["label"]:
            arrays[field["name"]] = np.asarray(field["label"]["value"])
    return arrays


def indices_of(pixels, field):
    """The class indices of a mask that is shown in colours."""
    indices = np.full(pixels.shape[:2], -1)
    for entry in field["mask_classes"]:
        indices[(pixels == entry["colour"]).all(-1)] = entry["index"]
    return indices
