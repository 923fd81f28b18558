# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob

import torch
from torch.utils.data import Dataset
from torchvision import tv_tensors


class Samples(Dataset):
    """YOLO's pictures with the boxes of their objects and their classes."""

    def __init__(self):
        self.names = sorted(glob("*", root_dir=IMAGES))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        name = self.names[index]
        path, rows = os.path.join(LABELS, os.path.splitext(name)[0] + ".txt"), []
        if os.path.exists(path):  # else it has no objects
            with open(path, encoding="utf-8") as file:
                rows = [[float(word) for word in line.split()] for line in file]
        table = torch.tensor([row for row in rows if row]).reshape(-1, 5)
        # Fractions of the picture are pixels of a canvas of one pixel.
        boxes = tv_tensors.BoundingBoxes(table[:, 1:], format="CXCYWH", canvas_size=(1, 1))
        image = os.path.join(IMAGES, name)
        return load({"image": image, "boxes": boxes, "label": table[:, 0].long()})
