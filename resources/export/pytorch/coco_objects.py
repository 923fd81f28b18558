# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: place_boxes
import collections
import json
import os

import torch
from torch.utils.data import Dataset
from torchvision import tv_tensors


class Samples(Dataset):
    """COCO's pictures with the boxes of their objects, and their classes from 0."""

    def __init__(self, crowds=False, empty=True):
        with open(ANNOTATIONS, encoding="utf-8") as file:
            coco = json.load(file)
        ids = sorted(category["id"] for category in coco["categories"])
        self.labels = {number: label for label, number in enumerate(ids)}
        self.objects = collections.defaultdict(list)
        for entry in coco["annotations"]:
            if crowds or not entry.get("iscrowd"):
                self.objects[entry["image_id"]].append(entry)
        self.pictures = [p for p in coco["images"] if empty or p["id"] in self.objects]

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, index):
        picture = self.pictures[index]
        objects = self.objects.get(picture["id"], ())
        boxes = tv_tensors.BoundingBoxes(
            torch.tensor([entry["bbox"] for entry in objects]).reshape(-1, 4),
            format="XYWH",
            canvas_size=(picture["height"], picture["width"]),
        )
        labels = [self.labels[entry["category_id"]] for entry in objects]
        image = os.path.join(IMAGES, picture["file_name"])
        label = torch.tensor(labels, dtype=torch.int64)
        return load({"image": image, "boxes": boxes, "label": label})
