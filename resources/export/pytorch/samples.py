# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import warnings

import torch
from torch.utils.data import Dataset


class Samples(Dataset):
    """A data set with a transform applied; a sample that fails becomes None."""

    def __init__(self, dataset, transform):
        self.dataset, self.transform = dataset, transform
        # Shared by all workers.
        self.failed = torch.zeros(len(dataset), dtype=torch.bool)
        self.failed.share_memory_()

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, index):
        try:
            return self.transform(self.dataset[index])
        except (OSError, RuntimeError, ValueError) as error:
            self.failed[index] = True
            count = int(self.failed.sum())
            if count > MAX_FAILURES * len(self):
                raise RuntimeError(f"{count} samples failed") from error
            warnings.warn(f"sample {index} left out: {error}")
            return None
