#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measures a policy against the same work in PyTorch with torchvision v2 on tensors.

Both read the same JPEG files with as many workers as there are cores: random resized crop to 224 x
224, flip, the policy, f32 NCHW normalised, batches of 32. `--cached` keeps decoded pictures of 256
x 256 in memory on both sides, so that the policy's share is large. Blocks alternate; the ratio is
of each block's pair.
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

BATCH = 32
MEAN, DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
POLICIES = {
    "none": (None, None),
    "rand_augment": (("rand_augment", {}), v2.RandAugment),
    "trivial_augment": (("trivial_augment", {}), v2.TrivialAugmentWide),
    "auto_augment": (("auto_augment", {}), v2.AutoAugment),
    "aug_mix": (("aug_mix", {}), v2.AugMix),
}


class Pictures(torch.utils.data.Dataset):
    """A folder of pictures as a training script would read it."""

    def __init__(self, root: pathlib.Path, policy, cached: bool):
        self.files = sorted(root.glob("*/*.jpg"))
        self.kept = None
        if cached:
            shrink = v2.Resize((256, 256), antialias=True)
            self.kept = [shrink(self.decoded(path)) for path in self.files]
        self.transform = v2.Compose(
            [
                v2.RandomResizedCrop(224, antialias=True),
                v2.RandomHorizontalFlip(),
                *([policy()] if policy else []),
                v2.ToDtype(torch.float32, scale=True),
                v2.Normalize(MEAN, DEVIATION),
            ]
        )

    @staticmethod
    def decoded(path: pathlib.Path) -> torch.Tensor:
        return decode_image(str(path), ImageReadMode.RGB)

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> torch.Tensor:
        picture = self.kept[index] if self.kept else self.decoded(self.files[index])
        return self.transform(picture)


def document(data: pathlib.Path, step, cached: bool) -> dict:
    """The same work as a pipeline."""
    keep = [("resize", {"height": 256, "width": 256, "mode": "squash"}), ("memory_cache", {})]
    return chain(
        ("image_folder", {"paths": [str(data)], "subset": "all"}),
        ("shuffle", {}),
        ("workers", {"count": WORKERS}),
        ("decode", {}),
        *(keep if cached else []),
        ("random_resized_crop", {"height": 224, "width": 224}),
        ("flip", {}),
        *([step] if step else []),
        ("normalise", {"mean": MEAN, "deviation": DEVIATION}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
        ("batch", {"size": BATCH}),
        ("prefetch", {}),
        ("drain", {}),
    )


def measure(name: str, arguments) -> None:
    """Measure one policy in turn and print the ratio with its interval."""
    step, policy = POLICIES[name]
    data = arguments.data.resolve()
    pictures = Pictures(data, policy, arguments.cached)
    torchs, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document(data, step, arguments.cached)))
        for _ in range(arguments.blocks):
            loader = torch.utils.data.DataLoader(
                pictures,
                BATCH,
                shuffle=True,
                drop_last=True,
                num_workers=WORKERS,
                persistent_workers=True,
            )
            torchs.append(rate(loader, arguments.seconds, len))
            del loader
            with millrace.Loader(str(file)) as mine:
                ours.append(rate(mine, arguments.seconds, lambda batch: len(batch["image"])))
    print(compared(name, ours, torchs), flush=True)


def main() -> None:
    """Measure the policies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="folder of class folders of JPEG files")
    parser.add_argument("--policies", nargs="*", default=list(POLICIES), choices=list(POLICIES))
    parser.add_argument("--cached", action="store_true")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name in arguments.policies:
        measure(name, arguments)


if __name__ == "__main__":
    main()
