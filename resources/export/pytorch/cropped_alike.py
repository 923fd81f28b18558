# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision.transforms import v2


def random_crop(sample, names, height, width):
    """Cut the same part out of each picture; its size is in pixels of the first."""
    rows, columns = sample[names[0]].shape[-2:]
    top = int(torch.randint(rows - height + 1, ()))
    left = int(torch.randint(columns - width + 1, ()))
    for name in names:
        k = sample[name].shape[-1] // columns
        box = k * top, k * left, k * height, k * width
        sample[name] = v2.functional.crop(sample[name], *box)
