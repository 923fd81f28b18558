# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A competition: a table of files and classes, read with the csv module, and Albumentations."""
import csv
import os

import albumentations as A
import cv2
import torch
from albumentations.pytorch import ToTensorV2
from torch.utils.data import DataLoader, Dataset

TRAIN = A.Compose([A.RandomResizedCrop(size=(224, 224)), A.HorizontalFlip(p=0.5), A.VerticalFlip(p=0.5),
                   A.ShiftScaleRotate(p=0.5), A.Normalize(), ToTensorV2()])


class Table(Dataset):
    def __init__(self, path, root):
        with open(path, newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.root = root

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        image = cv2.imread(os.path.join(self.root, self.rows[i]["image_id"]))
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        return TRAIN(image=image)["image"], torch.tensor(int(self.rows[i]["label"]))


loader = DataLoader(Table("train.csv", "photos"), batch_size=32, shuffle=True, num_workers=2,
                    persistent_workers=True)
