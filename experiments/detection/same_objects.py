#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares boxes from Millrace with pycocotools (as read) and torchvision v2 (after geometry).

Prints a line for each comparison: the number of boxes and the largest difference in pixels. The
last comparison is of distributions: random_iou_crop against RandomIoUCrop over the same pictures.
"""

import argparse
import json
import pathlib
import tempfile

import millrace
import torch
from pycocotools.coco import COCO
from torchvision import tv_tensors
from torchvision.transforms import v2

SIDE = 224


def write_coco(yolo: pathlib.Path, to: pathlib.Path) -> None:
    """Write the sample data `objects`, which is in YOLO's format, as COCO's instances."""
    from PIL import Image

    names = []
    for line in (yolo / "data.yaml").read_text().splitlines():
        if line.startswith("  "):
            names.append(line.split(":")[1].strip())
    images, annotations = [], []
    for number, path in enumerate(sorted((yolo / "images" / "train").glob("*.jpg"))):
        width, height = Image.open(path).size
        images.append({"id": number, "file_name": str(path), "width": width, "height": height})
        labels = yolo / "labels" / "train" / (path.stem + ".txt")
        for line in labels.read_text().splitlines():
            kind, x, y, w, h = (float(word) for word in line.split())
            box = [(x - w / 2) * width, (y - h / 2) * height, w * width, h * height]
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    # Ids with gaps, as COCO has them.
                    "category_id": 3 * int(kind) + 7,
                    "bbox": box,
                    "area": box[2] * box[3],
                    "iscrowd": 0,
                }
            )
    categories = [{"id": 3 * i + 7, "name": name} for i, name in enumerate(names)]
    to.write_text(
        json.dumps({"images": images, "annotations": annotations, "categories": categories})
    )


def pipeline(coco: pathlib.Path, steps: list) -> dict:
    """A pipeline over the annotations, in their order, with these nodes after the decoding."""
    chain = [
        ("detection", {"path": str(coco), "images": "/"}),
        ("workers", {"count": 2}),
        ("decode", {}),
        *steps,
        ("batch", {"size": 8, "pad_height": 1024, "pad_width": 1024}),
    ]
    nodes = [{"id": f"n{i}", "kind": k, "params": p} for i, (k, p) in enumerate(chain)]
    nodes.append({"id": "drain", "kind": "drain", "params": {}})
    ids = [node["id"] for node in nodes]
    wires = [{"from": a, "to": b} for a, b in zip(ids, ids[1:])]
    return {"format_version": 1, "seed": 0, "nodes": nodes, "wires": wires}


def boxes_of(document: dict) -> dict:
    """The boxes and labels of each picture, by its index in the file, of one epoch."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document))
        found = {}
        with millrace.Loader(str(file)) as loader:
            for batch in loader:
                for row, index in enumerate(batch.samples):
                    found[int(index)] = (
                        torch.as_tensor(batch["boxes"][row].copy()),
                        torch.as_tensor(batch["label"][row].copy()),
                    )
    return found


def expected(coco: COCO) -> list:
    """The boxes and labels of each picture by pycocotools."""
    label = {category: i for i, category in enumerate(sorted(coco.getCatIds()))}
    pictures = []
    for image in coco.dataset["images"]:
        rows = coco.loadAnns(coco.getAnnIds(imgIds=[image["id"]], iscrowd=False))
        boxes = torch.tensor([row["bbox"] for row in rows], dtype=torch.float64).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        labels = torch.tensor([label[row["category_id"]] for row in rows], dtype=torch.int64)
        pictures.append((image, boxes, labels))
    return pictures


def compare(name: str, document: dict, pictures: list, transform) -> None:
    """Print how much the boxes of the pipeline differ from those of torchvision's transform."""
    largest = 0.0
    count = 0
    ours = boxes_of(document)
    assert len(ours) == len(pictures), (len(ours), len(pictures))
    for index, (image, boxes, labels) in enumerate(pictures):
        size = (image["height"], image["width"])
        moved = tv_tensors.BoundingBoxes(boxes, format="XYXY", canvas_size=size)
        if transform is not None:
            moved = v2.ClampBoundingBoxes()(transform(moved))
        mine, mine_labels = ours[index]
        assert mine.shape == moved.shape, (name, index, mine.shape, moved.shape)
        assert torch.equal(mine_labels, labels), (name, index)
        count += len(mine)
        if len(mine):
            largest = max(largest, float((mine.double() - moved.double()).abs().max()))
    print(f"{name:<28} {count:>6} boxes, largest difference {largest:.2e} pixels")


def iou_crops(coco: pathlib.Path, pictures: list) -> None:
    """Compare the distributions of random crops: boxes kept, their mean area, untouched pictures."""
    rounds = 20
    ours = {"kept": 0, "area": 0.0, "whole": 0, "pictures": 0}
    document = pipeline(coco, [("random_iou_crop", {}), ("resize", {"height": SIDE, "width": SIDE})])
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.millrace.json"
        file.write_text(json.dumps(document))
        with millrace.Loader(str(file)) as loader:
            for batch in (batch for _ in range(rounds) for batch in loader):
                for row, index in enumerate(batch.samples):
                    add(ours, torch.as_tensor(batch["boxes"][row].copy()), pictures[int(index)])
    theirs = dict.fromkeys(ours, 0)
    crop = v2.Compose([v2.RandomIoUCrop(), v2.Resize((SIDE, SIDE)), v2.ClampBoundingBoxes()])
    for _ in range(rounds):
        for picture in pictures:
            image, boxes, _ = picture
            size = (image["height"], image["width"])
            sample = {
                "image": tv_tensors.Image(torch.zeros((1, *size), dtype=torch.uint8)),
                "boxes": tv_tensors.BoundingBoxes(boxes, format="XYXY", canvas_size=size),
            }
            if len(boxes):
                sample = crop(sample)
            else:
                sample = v2.Resize((SIDE, SIDE))(sample)
            add(theirs, torch.as_tensor(sample["boxes"]), picture)
    for name, found in (("random_iou_crop", ours), ("RandomIoUCrop", theirs)):
        print(
            f"{name:<28} {found['kept'] / found['pictures']:.3f} boxes a picture with area, "
            f"mean area {found['area'] / found['kept']:.0f} pixels, "
            f"{100 * found['whole'] / found['pictures']:.1f} % of the pictures whole"
        )


def add(to: dict, boxes: torch.Tensor, picture: tuple) -> None:
    """Count one sample."""
    image, original, _ = picture
    boxes = boxes.double()
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    to["kept"] += int((areas > 0).sum())
    to["area"] += float(areas.sum())
    to["pictures"] += 1
    scale = torch.tensor([SIDE / image["width"], SIDE / image["height"]] * 2, dtype=torch.float64)
    to["whole"] += int(torch.allclose(boxes, original * scale, atol=1e-2))


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="folder of `millrace sample-data objects`")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        coco = pathlib.Path(folder) / "instances.json"
        write_coco(arguments.data.resolve(), coco)
        pictures = expected(COCO(str(coco)))
        compare("as pycocotools reads them", pipeline(coco, []), pictures, None)
        cases = {
            "resize": ([("resize", {"height": 200, "width": 300})], v2.Resize((200, 300))),
            "centre_crop": ([("centre_crop", {"height": 300, "width": 200})], v2.CenterCrop((300, 200))),
            "flip": ([("flip", {"horizontal": 1.0})], v2.RandomHorizontalFlip(1)),
            "flip, upside down": (
                [("flip", {"horizontal": 0.0, "vertical": 1.0})],
                v2.RandomVerticalFlip(1),
            ),
            "pad": (
                [("pad", {"left": 3, "top": 5, "right": 7, "bottom": 9})],
                v2.Pad([3, 5, 7, 9]),
            ),
            "all of them": (
                [
                    ("centre_crop", {"height": 400, "width": 400}),
                    ("resize", {"height": 320, "width": 256}),
                    ("pad", {"left": 3, "top": 5, "right": 7, "bottom": 9}),
                    ("flip", {"horizontal": 1.0, "vertical": 1.0}),
                    ("centre_crop", {"height": 250, "width": 250}),
                ],
                v2.Compose(
                    [
                        v2.CenterCrop(400),
                        v2.ClampBoundingBoxes(),
                        v2.Resize((320, 256)),
                        v2.Pad([3, 5, 7, 9]),
                        v2.RandomHorizontalFlip(1),
                        v2.RandomVerticalFlip(1),
                        v2.CenterCrop(250),
                    ]
                ),
            ),
        }
        for name, (steps, transform) in cases.items():
            compare(name, pipeline(coco, steps), pictures, transform)
        iou_crops(coco, pictures)


if __name__ == "__main__":
    main()
