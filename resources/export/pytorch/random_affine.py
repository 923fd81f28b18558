# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: border_places
import math

import torch
from torchvision import tv_tensors


class RandomAffine:
    """Rotates, shifts, shears and zooms all pictures of a sample alike.

    rotation and shear are degrees, shift fractions of width and height. Unlike
    v2.RandomAffine it has all kinds of border and shifts by fractions of pixels.
    """

    def __init__(
        self,
        fields,
        rotation=0.0,
        shift=(0.0, 0.0),
        shear=0.0,
        zoom=(1.0, 1.0),
        mode="bilinear",
        border="constant",
        fill=0,
        mask_fill=0,
    ):
        self.fields, self.rotation, self.shift = fields, rotation, shift
        self.shear, self.zoom, self.mode = shear, zoom, mode
        self.border, self.fill, self.mask_fill = border, fill, mask_fill

    def __call__(self, sample):
        def uniform(low, high):
            return low + (high - low) * float(torch.rand(()))

        angle = math.radians(uniform(-self.rotation, self.rotation))
        shift = [uniform(-most, most) for most in self.shift]
        slope = math.tan(math.radians(uniform(-self.shear, self.shear)))
        zoom = uniform(*self.zoom)
        # Maps a position in the result to one in the picture.
        cosine, sine = math.cos(angle), math.sin(angle)
        back = torch.tensor(
            [
                [cosine - sine * slope, sine + cosine * slope],
                [-sine, cosine],
            ],
            dtype=torch.float64,
        )
        sample = dict(sample)
        for name in self.fields:
            sample[name] = self.warped(sample[name], back / zoom, shift)
        return sample

    def warped(self, picture, back, shift):
        height, width = picture.shape[-2:]
        size = torch.tensor([width, height], dtype=torch.float64)
        centre = size / 2
        start = centre - back @ (centre + torch.tensor(shift).double() * size)
        x = torch.arange(width, dtype=torch.float64)[None, :] + 0.5
        y = torch.arange(height, dtype=torch.float64)[:, None] + 0.5
        columns = back[0, 0] * x + back[0, 1] * y + start[0]
        rows = back[1, 0] * x + back[1, 1] * y + start[1]
        nearest = self.mode == "nearest" or isinstance(
            picture, tv_tensors.Mask
        )
        mixed = (self.nearest if nearest else self.bilinear)(
            picture, rows, columns
        )
        return tv_tensors.wrap(mixed, like=picture)

    def pixels(self, picture, rows, columns):
        return pixels_at(
            picture, rows, columns, self.border, self.fill, self.mask_fill
        )

    def nearest(self, picture, rows, columns):
        rows, columns = rows.floor().long(), columns.floor().long()
        return self.pixels(picture, rows, columns)

    def bilinear(self, picture, rows, columns):
        rows, columns = rows - 0.5, columns - 0.5
        top, left = rows.floor().long(), columns.floor().long()
        down, right = (rows - top).float(), (columns - left).float()
        above = torch.lerp(
            self.pixels(picture, top, left).float(),
            self.pixels(picture, top, left + 1).float(),
            right,
        )
        below = torch.lerp(
            self.pixels(picture, top + 1, left).float(),
            self.pixels(picture, top + 1, left + 1).float(),
            right,
        )
        return torch.lerp(above, below, down).round().to(picture.dtype)
