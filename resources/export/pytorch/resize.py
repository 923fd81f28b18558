# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors
from torchvision.transforms import InterpolationMode, v2


def resize(picture, size, interpolation, antialias):
    """Resize a picture; for a mask, use the nearest pixels."""
    if not isinstance(picture, tv_tensors.Mask):
        return v2.functional.resize(
            picture, size, interpolation=interpolation, antialias=antialias
        )
    # torchvision's kernel for masks takes the pixels left of the nearest ones.
    nearest = v2.functional.resize_image(
        picture.as_subclass(torch.Tensor),
        size,
        interpolation=InterpolationMode.NEAREST_EXACT,
    )
    return tv_tensors.wrap(nearest, like=picture)
