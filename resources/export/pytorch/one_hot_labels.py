# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torch.nn.functional import one_hot


class OneHotLabels:
    """Turns class numbers into one-hot rows."""

    def __init__(self, fields, classes, dtype, ignore=()):
        self.fields, self.classes = fields, classes
        self.dtype, self.ignore = dtype, ignore

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            sample[name] = self.row(sample[name])
        return sample

    def row(self, label):
        if 0 <= label < self.classes:
            return one_hot(torch.tensor(label), self.classes).to(self.dtype)
        if self.ignore is not None and label not in self.ignore:
            raise ValueError(f"label {label} is not below {self.classes}")
        return torch.zeros(self.classes, dtype=self.dtype)
