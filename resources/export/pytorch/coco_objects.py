# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import collections
import json
import os

import torch
from torch.utils.data import Dataset
from torchvision import tv_tensors
from torchvision.transforms import v2


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
        size = picture["height"], picture["width"]
        boxes = torch.tensor([one["bbox"] for one in objects]).reshape(-1, 4).float()
        boxes = tv_tensors.BoundingBoxes(boxes, format="XYWH", canvas_size=size)
        boxes = v2.functional.convert_bounding_box_format(boxes, new_format="XYXY")
        boxes = v2.functional.clamp_bounding_boxes(boxes)
        label = torch.tensor([self.labels[one["category_id"]] for one in objects]).long()
        kept = (boxes[:, 2:] > boxes[:, :2]).all(dim=1)  # the others have no area
        image = os.path.join(IMAGES, picture["file_name"])
        boxes = tv_tensors.wrap(boxes[kept], like=boxes)
        return load({"image": image, "boxes": boxes, "label": label[kept]})
