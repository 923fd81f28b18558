# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: ratios
import torch
from torchvision.transforms import v2


class Crop:
    """Crops the same part of all pictures of a sample.

    The size is in pixels of the first field; of a larger partner, the part is
    larger by the ratio. at: "random", "centre", "even_centre" (margins of half
    a pixel are rounded to even numbers) or (top, left).
    """

    def __init__(self, fields, size, at):
        self.fields, self.size, self.at = fields, size, at

    def __call__(self, sample):
        sample = dict(sample)
        coarsest, ratios = picture_ratios(sample, self.fields)
        height, width = whole(self.size, ratios[self.fields[0]])
        room = coarsest.shape[-2] - height, coarsest.shape[-1] - width
        top, left = self.place(room, ratios[self.fields[0]])
        if not (0 <= top <= room[0] and 0 <= left <= room[1]):
            raise ValueError("the picture is smaller than the crop")
        for name, ratio in ratios.items():
            box = [ratio * n for n in (top, left, height, width)]
            sample[name] = v2.functional.crop(sample[name], *box)
        return sample

    def place(self, room, ratio):
        if self.at == "random" and min(room) >= 0:
            return [int(torch.randint(most + 1, ())) for most in room]
        if self.at == "even_centre":
            return [(most + (most % 4 == 3)) // 2 for most in room]
        if isinstance(self.at, str):
            return [most // 2 for most in room]
        return whole(self.at, ratio)
