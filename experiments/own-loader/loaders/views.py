# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Contrastive learning: two views of each picture."""
from pathlib import Path

from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2
import torch


class Views(Dataset):
    def __init__(self, folder):
        self.files = sorted(Path(folder).rglob("*.jpg"))
        self.augment = v2.Compose([
            v2.RandomResizedCrop(96), v2.RandomHorizontalFlip(), v2.RandomGrayscale(0.2),
            v2.GaussianBlur(9), v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        image = Image.open(self.files[i]).convert("RGB")
        return self.augment(image), self.augment(image)


loader = DataLoader(Views("classes"), batch_size=32, shuffle=True, num_workers=2, persistent_workers=True)
