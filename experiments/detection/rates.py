#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measures the example `detection` against the same work in PyTorch with torchvision v2.

Both read the same pictures and boxes with as many workers as there are cores: RandomIoUCrop, 320 x
320, flip, boxes without area dropped, f32 NCHW, batches of 16. Blocks alternate; the
ratio is of each block's pair.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import millrace
import torch
from torchvision import tv_tensors
from torchvision.io import ImageReadMode, decode_image
from torchvision.transforms import v2

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lib"))
from in_turn import WORKERS, compared, rate  # noqa: E402

BATCH = 16


class Pictures(torch.utils.data.Dataset):
    """The sample data `objects` as a training script would read it."""

    def __init__(self, root: pathlib.Path):
        self.files = sorted((root / "images" / "train").glob("*.jpg"))
        self.root = root
        self.transform = v2.Compose(
            [
                v2.RandomIoUCrop(),
                v2.Resize((320, 320), antialias=True),
                v2.RandomHorizontalFlip(),
                v2.SanitizeBoundingBoxes(min_size=2),
                v2.ToDtype(torch.float32, scale=True),
            ]
        )

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple:
        path = self.files[index]
        image = tv_tensors.Image(decode_image(str(path), ImageReadMode.RGB))
        height, width = image.shape[-2:]
        lines = (self.root / "labels" / "train" / (path.stem + ".txt")).read_text().splitlines()
        rows = torch.tensor([[float(word) for word in line.split()] for line in lines]).reshape(-1, 5)
        boxes = rows[:, 1:] * torch.tensor([width, height, width, height])
        sample = {
            "image": image,
            "boxes": v2.functional.convert_bounding_box_format(
                tv_tensors.BoundingBoxes(boxes, format="CXCYWH", canvas_size=(height, width)),
                new_format="XYXY",
            ),
            "labels": rows[:, 0].long(),
        }
        sample = self.transform(sample)
        return sample["image"], {"boxes": sample["boxes"], "labels": sample["labels"]}


def collate(samples: list) -> tuple:
    """Stack the pictures, and keep the objects of each."""
    images, targets = zip(*samples)
    return torch.stack(images), list(targets)


def main() -> None:
    """Measure in turn and print the ratio with its interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="folder of `millrace sample-data objects`")
    parser.add_argument("example", type=pathlib.Path, help="`millrace export detection --to json`")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=3)
    arguments = parser.parse_args()
    document = json.loads(arguments.example.read_text())
    for node in document["nodes"]:
        if node["kind"] == "detection":
            node["params"]["path"] = str(arguments.data.resolve())
        if node["kind"] == "workers":
            node["params"]["count"] = WORKERS
    pictures = Pictures(arguments.data.resolve())
    torchs, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document))
        for _ in range(arguments.blocks):
            loader = torch.utils.data.DataLoader(
                pictures,
                BATCH,
                shuffle=True,
                num_workers=WORKERS,
                collate_fn=collate,
                persistent_workers=True,
            )
            torchs.append(rate(loader, arguments.seconds, lambda batch: len(batch[0])))
            del loader
            with millrace.Loader(str(file)) as mine:
                ours.append(rate(mine, arguments.seconds, lambda batch: len(batch["image"])))
    print(compared("detection", ours, torchs))


if __name__ == "__main__":
    main()
