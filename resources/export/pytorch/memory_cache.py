# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torch.utils.data import Dataset


class MemoryCache(Dataset):
    """Keeps the results of a transform in memory, up to a limit of bytes."""

    def __init__(self, dataset, transform):
        self.dataset, self.transform = dataset, transform
        self.kept, self.bytes = {}, 0
        self.limit = CACHE_BYTES // max(1, WORKERS)

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, index):
        if index in self.kept:
            return dict(self.kept[index])
        sample = self.transform(self.dataset[index])
        size = sum(map(self.size_of, sample.values()))
        if self.bytes + size <= self.limit:
            self.kept[index] = dict(sample)
            self.bytes += size
        return sample

    @staticmethod
    def size_of(value):
        if isinstance(value, torch.Tensor):
            return value.nbytes
        return len(value) if isinstance(value, bytes) else 8
