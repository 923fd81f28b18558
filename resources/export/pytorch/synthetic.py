# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import torch
from torch.utils.data import Dataset
from torchvision import tv_tensors


class Synthetic(Dataset):
    """Samples generated in memory: rows of features, or pictures."""

    def __init__(
        self, count, features=0, image=None, dtype=torch.uint8, classes=0
    ):
        self.count, self.features, self.image = count, features, image
        self.dtype, self.num_classes = dtype, classes
        self.names = [f"synthetic#{i}" for i in range(count)]
        self.classes = [str(i) for i in range(classes)]
        self.labels = [i % classes for i in range(count)] if classes else []

    def __len__(self):
        return self.count

    def words(self, index, count):
        start = (index + 1) * 0xD1342543DE82EF95 % 2**64
        words = np.arange(count, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        ) + np.uint64(start)
        return words ^ (words >> np.uint64(29))

    def content(self, index):
        if self.dtype == torch.float32:
            words = self.words(index, self.features) >> np.uint64(40)
            return torch.from_numpy(words.astype(np.float32) * 2.0**-24)
        if self.image is None:
            size = self.features
        else:
            size = int(np.prod(self.image))
        data = self.words(index, -(-size // 8)).astype("<u8").view(np.uint8)
        return torch.from_numpy(data[:size].copy())

    def __getitem__(self, index):
        content = self.content(index)
        if self.image is None:
            sample = {"features": content}
        else:
            channels, height, width = self.image
            pixels = content.reshape(height, width, channels)
            sample = {"image": tv_tensors.Image(pixels.permute(2, 0, 1))}
        if self.num_classes:
            sample["label"] = self.labels[index]
        return sample
