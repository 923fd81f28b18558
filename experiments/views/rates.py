#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measures several views of a picture against the same work in PyTorch with torchvision v2.

`dino`: two crops of 224 x 224 and eight of 96 x 96, with the colour changes of DINO's published
augmentation. `simclr`: two crops of 224 x 224. Both sides read the same JPEG files with as many
workers as there are cores, decode each once, and give f32 NCHW, normalised. Blocks alternate; the
ratio is of each block's pair.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import millrace
import torch
from torchvision.io import ImageReadMode, decode_image
from torchvision.transforms import v2

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lib"))
from in_turn import WORKERS, compared, rate  # noqa: E402
from pipelines import chain  # noqa: E402

BATCH = 16
MEAN, DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def crop(size, scale, blur, solarize=0.0):
    """One view as torchvision makes it from a decoded picture."""
    return v2.Compose([
        v2.RandomResizedCrop(size, scale=scale, interpolation=v2.InterpolationMode.BICUBIC),
        v2.RandomHorizontalFlip(),
        v2.RandomApply([v2.ColorJitter(0.4, 0.4, 0.2, 0.1)], p=0.8),
        v2.RandomGrayscale(0.2),
        v2.RandomApply([v2.GaussianBlur(23 if size > 100 else 9, (0.1, 2.0))], p=blur),
        *([v2.RandomSolarize(128, p=solarize)] if solarize else []),
        v2.ToDtype(torch.float32, scale=True),
        v2.Normalize(MEAN, DEVIATION),
    ])


def views_of(name):
    if name == "simclr":
        return [crop(224, (0.08, 1), 0.5)] * 2
    return [crop(224, (0.4, 1), 1.0), crop(224, (0.4, 1), 0.1, 0.2), *[crop(96, (0.05, 0.4), 0.5)] * 8]


class Pictures(torch.utils.data.Dataset):
    """A folder of pictures as a training script would read it."""

    def __init__(self, root, views):
        self.files = sorted(root.glob("*/*.jpg"))
        self.views = views

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        picture = decode_image(str(self.files[index]), ImageReadMode.RGB)
        return [view(picture) for view in self.views]


def crops(name):
    """The views as nodes."""
    def crop_of(size, low, high, fields):
        return ("random_resized_crop", {"height": size, "width": size, "scale_min": low, "scale_max": high,
                                        "filter": "bicubic", "fields": fields})

    def blur(kernel, probability, fields):
        return ("blur", {"kernel": kernel, "sigma_min": 0.1, "sigma_max": 2.0, "probability": probability,
                         "fields": fields})

    colours = [
        ("flip", {}),
        ("jitter", {"brightness": 0.4, "contrast": 0.4, "saturation": 0.2, "hue": 0.1, "probability": 0.8}),
        ("grayscale", {"probability": 0.2}),
    ]
    large = ["view_1", "view_2"]
    if name == "simclr":
        return [("views", {"count": 2}), crop_of(224, 0.08, 1.0, []), *colours, blur(23, 0.5, [])]
    small = ["view_%d" % i for i in range(3, 11)]
    return [
        ("views", {"count": 10}),
        crop_of(224, 0.4, 1.0, large),
        crop_of(96, 0.05, 0.4, small),
        *colours,
        blur(23, 1.0, ["view_1"]),
        blur(23, 0.1, ["view_2"]),
        blur(9, 0.5, small),
        ("solarize", {"threshold": 128, "probability": 0.2, "fields": ["view_2"]}),
    ]


def document(data, name):
    """The same work as a pipeline."""
    return chain(
        ("image_folder", {"paths": [str(data)], "subset": "all"}),
        ("shuffle", {}),
        ("workers", {"count": WORKERS}),
        ("decode", {}),
        *crops(name),
        ("normalise", {"mean": MEAN, "deviation": DEVIATION}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
        ("batch", {"size": BATCH, "drop_last": True}),
        ("prefetch", {}),
        ("drain", {}),
    )


def measure(name, arguments):
    """Measure one kind of views in turn."""
    data = arguments.data.resolve()
    pictures = Pictures(data, views_of(name))
    torchs, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document(data, name)))
        for _ in range(arguments.blocks):
            loader = torch.utils.data.DataLoader(pictures, BATCH, shuffle=True, drop_last=True, num_workers=WORKERS,
                                                 persistent_workers=True)
            torchs.append(rate(loader, arguments.seconds, lambda batch: len(batch[0])))
            del loader
            with millrace.Loader(str(file)) as mine:
                ours.append(rate(mine, arguments.seconds, lambda batch: len(batch["view_1"])))
    print(compared(name, ours, torchs), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="folder of class folders of JPEG files")
    parser.add_argument("--kinds", nargs="*", default=["dino", "simclr"], choices=["dino", "simclr"])
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=4)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name in arguments.kinds:
        measure(name, arguments)


if __name__ == "__main__":
    main()
