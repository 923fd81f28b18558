# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records
import functools
import os

import numpy as np
import torch
from torch.utils.data import Dataset
from torchvision import tv_tensors


class Tensors(Dataset):
    """The samples of a reader: arrays as tensors, pictures as planes."""

    def __init__(self, reader):
        self.reader = reader
        self.labels, self.classes = reader.labels, reader.classes

    @functools.cached_property
    def names(self):
        return [os.fsdecode(name) for name in self.reader.names]

    def __len__(self):
        return len(self.reader)

    def __getitem__(self, index):
        return as_tensors(self.reader[index], self.reader.fields)


def as_tensors(values, fields):
    return {name: as_tensor(values[name], fields[name]) for name in fields}


def as_tensor(value, field):
    """A tensor; a class is its number, and files stay bytes."""
    if isinstance(value, bytes):
        return value
    if value.ndim == 0 and value.dtype == np.int64:
        return int(value)
    value = torch.from_numpy(np.array(value))
    if field.layout == "hwc":
        value = value.permute(2, 0, 1)
    if not field.layout:
        return value
    return tv_tensors.Mask(value) if field.mask else tv_tensors.Image(value)


def as_bytes(value):
    """The bytes of a field, which must be bytes."""
    if isinstance(value, bytes):
        return value
    return value.contiguous().numpy().tobytes()
