# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torchvision import tv_tensors
from torchvision.transforms import v2


class PadTo:
    """Adds zeros at the right and below, up to a size of all pictures."""

    def __init__(self, size):
        self.size = size

    def __call__(self, sample):
        return {name: self.padded(value) for name, value in sample.items()}

    def padded(self, value):
        if not isinstance(value, (tv_tensors.Image, tv_tensors.Mask)):
            return value
        height, width = value.shape[-2:]
        if height > self.size[0] or width > self.size[1]:
            raise ValueError(f"{height}x{width} is larger than {self.size}")
        right, below = self.size[1] - width, self.size[0] - height
        return v2.functional.pad(value, [0, 0, right, below])
