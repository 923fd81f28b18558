# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torchvision.transforms import v2


def random_crop(sample, names, height, width):
    """Cut the centre out of each picture; its size is in pixels of the first."""
    rows, columns = sample[names[0]].shape[-2:]
    top, left = (rows - height) // 2, (columns - width) // 2
    for name in names:
        k = sample[name].shape[-1] // columns
        box = k * top, k * left, k * height, k * width
        sample[name] = v2.functional.crop(sample[name], *box)
