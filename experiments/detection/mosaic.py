#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measures mosaics of boxes against the loader of Ultralytics.

Both read the same pictures and boxes with as many workers as there are cores: letterbox to 640 x 640,
mosaic, flip, f32 from 0 to 1, batches of 16. Ultralytics decodes four pictures for a mosaic, Millrace
one: its other three are from the same batch. Blocks alternate; the ratio is of each block's pair.
"""

import argparse
import json
import pathlib
import shutil
import sys
import tempfile

import millrace
from ultralytics.cfg import get_cfg
from ultralytics.data import build_dataloader, build_yolo_dataset

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lib"))
from in_turn import WORKERS, rate, ratio  # noqa: E402

BATCH = 16
SIDE = 640
# No other augmentation than mosaic and flip.
PLAIN = dict(imgsz=SIDE, mosaic=1.0, mixup=0.0, cutmix=0.0, copy_paste=0.0, degrees=0.0, translate=0.0,
             scale=0.0, shear=0.0, perspective=0.0, hsv_h=0.0, hsv_s=0.0, hsv_v=0.0, flipud=0.0, fliplr=0.5,
             task="detect", rect=False, cache=False)


def document(data: pathlib.Path) -> dict:
    """The pipeline."""
    chain = [
        ("detection", {"path": str(data)}),
        ("shuffle", {}),
        ("workers", {"count": WORKERS}),
        ("decode", {}),
        ("resize", {"height": SIDE, "width": SIDE, "mode": "fit"}),
        ("flip", {}),
        ("batch", {"size": BATCH}),
        ("mosaic", {}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
        ("prefetch", {"batches": 2}),
        ("drain", {}),
    ]
    nodes = [{"id": kind, "kind": kind, "params": params} for kind, params in chain]
    wires = [{"from": a["id"], "to": b["id"]} for a, b in zip(nodes, nodes[1:])]
    return {"format_version": 1, "seed": 1, "nodes": nodes, "wires": wires}


class Theirs:
    """The loader of Ultralytics, with the first step of its trainer."""

    def __init__(self, data: pathlib.Path):
        lines = (data / "data.yaml").read_text().split("names:")[1].strip().splitlines()
        names = [line.split(":")[1].strip() for line in lines]
        about = {"names": dict(enumerate(names)), "nc": len(names), "channels": 3}
        dataset = build_yolo_dataset(get_cfg(overrides=PLAIN), str(data / "images" / "train"), BATCH, about,
                                     mode="train")
        self.loader = build_dataloader(dataset, BATCH, WORKERS, shuffle=True)

    def __iter__(self):
        for batch in self.loader:
            batch["img"] = batch["img"].float() / 255
            yield batch


def main() -> None:
    """Measure in turn and print the ratio with its interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="folder of `millrace sample-data objects`")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=4)
    arguments = parser.parse_args()
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "objects"
        shutil.copytree(arguments.data, data)  # Ultralytics writes a cache next to the labels
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document(data)))
        peer = Theirs(data)
        for _ in range(arguments.blocks):
            theirs.append(rate(peer, arguments.seconds, lambda batch: len(batch["img"])))
            with millrace.Loader(str(file)) as mine:
                ours.append(rate(mine, arguments.seconds, lambda batch: len(batch["image"])))
    print("mosaic: millrace %.0f samples/s, ultralytics %.0f, ratio %s" % (
        sum(ours) / len(ours), sum(theirs) / len(theirs), ratio(ours, theirs)))


if __name__ == "__main__":
    main()
