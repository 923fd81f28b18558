# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors


def border_places(places, size, border):
    """Return the coordinates, along a side, of the pixels that a border shows."""
    if border == "edge":
        return places.clamp(0, size - 1)
    if border == "wrap":
        return places % size
    if border == "symmetric":
        places = places % (2 * size)
        return torch.minimum(places, 2 * size - 1 - places)
    if border == "reflect":
        period = max(1, 2 * size - 2)
        places = places % period
        return torch.minimum(places, (period - places) % period)
    return places.clamp(0, size - 1)


def pixels_at(picture, rows, columns, border, fill, mask_fill):
    """Return the pixels at these coordinates, which may lie outside."""
    plain = picture.as_subclass(torch.Tensor)
    height, width = plain.shape[-2:]
    found = plain[
        :,
        border_places(rows, height, border),
        border_places(columns, width, border),
    ]
    if border != "constant":
        return found
    if isinstance(picture, tv_tensors.Mask):
        fill = mask_fill
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    colour = torch.as_tensor(fill, dtype=plain.dtype).reshape(-1, 1, 1)
    return torch.where(inside, found, colour)
