# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: colour_table
import torch
from torchvision import tv_tensors


class ColoursToIndices:
    """Turns masks of colours into masks of class indices.

    none: the index of colours without a class; strict: they are an error.
    """

    def __init__(self, fields, colours, none=255, strict=True):
        self.fields, self.none, self.strict = fields, none, strict
        table = torch.tensor(colours, dtype=torch.int32)
        numbers = self.numbers(table.T[:, None, :])[0]
        self.known, self.places = numbers.sort()

    @staticmethod
    def numbers(pixels):
        red, green, blue = pixels.to(torch.int32)
        return (red << 16) + (green << 8) + blue

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            sample[name] = tv_tensors.Mask(self.indices(sample[name]))
        return sample

    def indices(self, mask):
        numbers = self.numbers(mask.as_subclass(torch.Tensor))
        at = torch.searchsorted(self.known, numbers)
        at = at.clamp(max=len(self.known) - 1)
        unknown = self.known[at] != numbers
        if self.strict and unknown.any():
            count, first = int(unknown.sum()), int(numbers[unknown][0])
            raise ValueError(
                f"{count} pixels have a colour without a class,"
                f" the first #{first:06x}"
            )
        indices = self.places[at]
        indices[unknown] = self.none
        return indices[None].to(torch.uint8)
