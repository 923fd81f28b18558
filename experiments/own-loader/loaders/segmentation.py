# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Street scenes with OpenCV and Albumentations."""
import os

import albumentations as A
import cv2
from albumentations.pytorch import ToTensorV2
from torch.utils.data import DataLoader, Dataset


class Streets(Dataset):
    def __init__(self, root, transform):
        self.images, self.masks = os.path.join(root, "images"), os.path.join(root, "labels")
        self.names = sorted(os.listdir(self.images))
        self.transform = transform

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        image = cv2.cvtColor(cv2.imread(os.path.join(self.images, self.names[i])), cv2.COLOR_BGR2RGB)
        mask = cv2.imread(os.path.join(self.masks, self.names[i]), cv2.IMREAD_GRAYSCALE)
        changed = self.transform(image=image, mask=mask)
        return changed["image"], changed["mask"].long()


train = Streets("streets", A.Compose([
    A.RandomCrop(320, 320), A.HorizontalFlip(p=0.5), A.RandomBrightnessContrast(p=0.2), A.Normalize(),
    ToTensorV2()]))
loader = DataLoader(train, batch_size=8, shuffle=True, num_workers=2, drop_last=True, persistent_workers=True)
