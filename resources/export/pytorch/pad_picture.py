# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: border_places
import torch
from torchvision import tv_tensors


def pad_picture(picture, sides, border, fill, mask_fill):
    """Add pixels at the left, top, right and bottom."""
    left, top, right, bottom = sides
    height, width = picture.shape[-2:]
    rows = torch.arange(-top, height + bottom)
    columns = torch.arange(-left, width + right)
    padded = pixels_at(
        picture, rows[:, None], columns[None, :], border, fill, mask_fill
    )
    return tv_tensors.wrap(padded, like=picture)
