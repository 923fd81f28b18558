#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares the pixels of operations and policies with torchvision v2 on the same pictures.

An operation runs at each of its settings with probability 1. Of a policy, each sample is looked for
among all that torchvision could have made of its picture, which also gives the share of each
choice. Prints a line for each comparison: samples, the largest difference, values that differ.
"""

import argparse
import collections
import itertools
import json
import math
import pathlib
import sys
import tempfile

import millrace
import torch
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional as F

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lib"))
from pipelines import chain  # noqa: E402

HEIGHT, WIDTH = 120, 150


def pictures(data: pathlib.Path, steps: list, epochs: int = 1) -> list:
    """The pictures of a pipeline with these nodes after a resize, as CHW tensors by epoch, sample."""
    document = chain(
        ("image_folder", {"paths": [str(data)], "subset": "all"}),
        ("workers", {"count": 2}),
        ("decode", {}),
        ("resize", {"height": HEIGHT, "width": WIDTH, "mode": "squash"}),
        *steps,
        ("batch", {"size": 16, "drop_last": False}),
        ("drain", {}),
    )
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document))
        found = []
        with millrace.Loader(str(file)) as loader:
            for _ in range(epochs):
                rows = {}
                for batch in loader:
                    for index, picture in zip(batch.samples, batch["image"]):
                        rows[int(index)] = torch.from_numpy(picture.copy()).permute(2, 0, 1)
                found.append([rows[i].contiguous() for i in sorted(rows)])
    return found


class Difference:
    """The largest difference of values, and how many differ."""

    def __init__(self):
        self.samples = self.largest = self.values = self.all = 0

    def add(self, ours: torch.Tensor, theirs: torch.Tensor) -> None:
        apart = (ours.int() - theirs.int()).abs()
        self.samples += 1
        self.largest = max(self.largest, int(apart.max()))
        self.values += int((apart > 0).sum())
        self.all += apart.numel()

    def __str__(self) -> str:
        return f"{self.samples:6} samples, largest {self.largest:3}, {self.values} of {self.all}"


def operations() -> list:
    """(label, kind, parameters, torchvision's function) of every setting."""
    made = []
    for bits in range(9):
        made.append(("posterize", {"bits": bits}, lambda p, b=bits: F.posterize(p, b)))
    for threshold in [*range(0, 256, 5), 127.5]:
        made.append(
            ("solarize", {"threshold": threshold}, lambda p, t=threshold: F.solarize(p, float(t)))
        )
    for i in range(61):
        factor = i * 0.05
        made.append(
            ("sharpness", {"factor": factor}, lambda p, f=factor: F.adjust_sharpness(p, f))
        )
    for i in range(1, 61):
        gamma = i * 0.05
        made.append(
            ("gamma", {"gamma_min": gamma, "gamma_max": gamma}, lambda p, g=gamma: F.adjust_gamma(p, g))
        )
    for quality in range(1, 101, 9):
        params = {"quality_min": quality, "quality_max": quality}
        made.append(("jpeg_artefacts", params, lambda p, q=quality: F.jpeg(p, q)))
    made.append(("invert", {}, F.invert))
    made.append(("autocontrast", {}, F.autocontrast))
    made.append(("equalize", {}, F.equalize))
    return made


def compare_operations(data: pathlib.Path, plain: list) -> None:
    """Print a line for each kind, over all its settings."""
    results = collections.defaultdict(Difference)
    for kind, params, function in operations():
        ours = pictures(data, [(kind, {"probability": 1.0, **params})])[0]
        for mine, picture in zip(ours, plain):
            results[kind].add(mine, function(picture))
    for kind, result in results.items():
        print(f"{kind:28} {result}")


def choices(policy, space: dict, bins: int, chosen: range) -> list:
    """(name, function) of every operation, magnitude and sign."""
    made = []
    for name, (magnitudes_of, signed) in space.items():
        magnitudes = magnitudes_of(bins, HEIGHT, WIDTH)
        values = [0.0] if magnitudes is None else [float(magnitudes[i]) for i in chosen]
        for value in dict.fromkeys(v * s for v in values for s in ((1, -1) if signed else (1,))):
            made.append(
                (
                    name,
                    lambda p, n=name, v=value: policy._apply_image_or_video_transform(
                        p, n, v, policy.interpolation, policy._fill
                    ),
                )
            )
    return made


def nearest_choice(mine: torch.Tensor, picture: torch.Tensor, made: list) -> tuple:
    """The names whose pictures are closest, and the closest picture."""
    best, least, names = None, math.inf, set()
    for name, function in made:
        theirs = function(picture)
        apart = int((theirs != mine).sum())
        if apart < least:
            best, least, names = theirs, apart, set()
        if apart == least:
            names.add(name)
    return names, best


def compare_policy(label: str, step: tuple, policy, made: list, data, plain: list, epochs: int):
    """Print the differences of a policy that draws one of `made`, and how its choices are spread
    compared with torchvision's own draws, by the same search."""
    result = Difference()
    ours, theirs = collections.Counter(), collections.Counter()
    for epoch in pictures(data, [step], epochs):
        for mine, picture in zip(epoch, plain):
            names, closest = nearest_choice(mine, picture, made)
            result.add(mine, closest)
            ours["/".join(sorted(names))] += 1
            theirs["/".join(sorted(nearest_choice(policy(picture), picture, made)[0]))] += 1
    print(f"{label:28} {result}")
    # Two counts of one distribution differ by about the root of their sum.
    apart = [(ours[n] - theirs[n]) / math.sqrt(ours[n] + theirs[n]) for n in ours | theirs]
    square = sum(each**2 for each in apart)
    print(
        f"    {len(apart)} choices; largest difference of counts {max(map(abs, apart)):.2f} standard "
        f"errors, chi-squared {square:.1f} of {len(apart) - 1} degrees"
    )


def compare_policies(data: pathlib.Path, plain: list, epochs: int) -> None:
    """Every policy of one operation, at every magnitude, with both filters and a fill."""
    for filter_, fill in itertools.product(("nearest", "bilinear"), (0, 128)):
        policy = v2.RandAugment(interpolation=filter_, fill=[float(fill)] * 3 if fill else None)
        params = {"filter": filter_, "fill": [fill]}
        result = Difference()
        for magnitude in range(31):
            made = choices(policy, policy._AUGMENTATION_SPACE, 31, range(magnitude, magnitude + 1))
            step = ("rand_augment", {"num_ops": 1, "magnitude": magnitude, **params})
            for mine, picture in zip(pictures(data, [step])[0], plain):
                result.add(mine, nearest_choice(mine, picture, made)[1])
        print(f"{f'rand_augment {filter_} {fill}':28} {result}")
    policy = v2.TrivialAugmentWide()
    made = choices(policy, policy._AUGMENTATION_SPACE, 31, range(31))
    step = ("trivial_augment", {})
    compare_policy("trivial_augment", step, policy, made, data, plain, epochs)


def compare_auto_augment(data: pathlib.Path, plain: list, epochs: int) -> None:
    """Each sample among all pairs, signs and omissions; the number is that of the pair."""
    for name in ("imagenet", "cifar10", "svhn"):
        policy = v2.AutoAugment(policy=v2.AutoAugmentPolicy[name.upper()])
        made = []
        for number, pair in enumerate(policy._policies):
            options = []
            for operation, probability, magnitude in pair:
                space = {operation: policy._AUGMENTATION_SPACE[operation]}
                index = magnitude or 0
                some = [f for _, f in choices(policy, space, 10, range(index, index + 1))]
                options.append(
                    (some if probability > 0 else []) + ([lambda p: p] if probability < 1 else [])
                )
            for first, second in itertools.product(*options):
                made.append((f"{number:02}", lambda p, a=first, b=second: b(a(p))))
        step = ("auto_augment", {"policy": name})
        compare_policy(f"auto_augment {name}", step, policy, made, data, plain, epochs)


def main() -> None:
    """Compare everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="a folder of pictures by class")
    parser.add_argument("--epochs", type=int, default=4)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    plain = pictures(arguments.data, [])[0]
    compare_operations(arguments.data, plain)
    compare_policies(arguments.data, plain, arguments.epochs)
    compare_auto_augment(arguments.data, plain, arguments.epochs)


if __name__ == "__main__":
    main()
