# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import torch
from torchvision.transforms import v2


class Erase:
    """v2.RandomErasing for values of 0 to 255; value None: noise."""

    def __init__(self, fields, p, scale, ratio, value, random=True):
        self.fields, self.p, self.scale, self.ratio = fields, p, scale, ratio
        self.value, self.random = value, random

    def __call__(self, sample):
        if float(torch.rand(())) >= self.p:
            return sample
        sample = dict(sample)
        for name in self.fields:
            sample[name] = self.erased(sample[name])
        return sample

    def erased(self, picture):
        for _ in range(10):
            box = self.box(*picture.shape[-2:])
            if box is not None:
                break
        else:
            return picture
        top, left, height, width = box
        channels = picture.shape[-3]
        if self.value is None:
            shape = (channels, height, width)
            value = torch.randint(256, shape, dtype=picture.dtype)
        else:
            value = torch.tensor(self.value, dtype=picture.dtype)
            value = value.reshape(-1, 1, 1).expand(channels, height, width)
        return v2.functional.erase(picture, top, left, height, width, value)

    def box(self, rows, columns):
        share = self.uniform(*self.scale)
        ratio = math.exp(self.uniform(*(math.log(r) for r in self.ratio)))
        height = round(math.sqrt(rows * columns * share * ratio))
        width = round(math.sqrt(rows * columns * share / ratio))
        if not (0 < height < rows and 0 < width < columns):
            return None
        room = rows - height, columns - width
        if not self.random:
            return room[0] // 2, room[1] // 2, height, width
        top, left = (int(torch.randint(most + 1, ())) for most in room)
        return top, left, height, width

    def uniform(self, low, high):
        place = float(torch.rand(())) if self.random else 0.5
        return low + (high - low) * place
