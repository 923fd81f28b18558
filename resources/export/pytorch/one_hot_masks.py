# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors


class OneHotMasks:
    """Turns masks of class indices into planes of 0 and 1, one a class.

    planes=False keeps indices. ignore: indices without a class; None: any.
    """

    def __init__(self, fields, classes, dtype, ignore=(), planes=True):
        self.fields, self.classes, self.dtype = fields, classes, dtype
        self.ignore, self.planes = ignore, planes

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            sample[name] = tv_tensors.Mask(self.converted(sample[name]))
        return sample

    def converted(self, mask):
        mask = mask.as_subclass(torch.Tensor)
        if self.ignore is not None:
            unknown = mask >= self.classes
            for index in self.ignore:
                unknown &= mask != index
            if unknown.any():
                count, first = int(unknown.sum()), int(mask[unknown][0])
                raise ValueError(
                    f"{count} pixels are not below {self.classes},"
                    f" the first is {first}"
                )
        if not self.planes:
            return mask
        classes = torch.arange(self.classes, dtype=torch.int16)
        return (mask == classes[:, None, None]).to(self.dtype)
