# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import torch
from torchvision import tv_tensors


def random_warp(sample, names, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom pictures alike, beyond whose edges it repeats.

    v2.RandomAffine has other ranges, and fills with one colour.
    """
    draws = torch.rand(5)
    angle = math.radians(rotation) * (2 * draws[0] - 1)
    slope = torch.tan(math.radians(shear) * (2 * draws[3] - 1))
    sine, cosine = torch.sin(angle), torch.cos(angle)
    back = torch.stack([cosine - sine * slope, sine + cosine * slope, -sine, cosine])
    back = back.reshape(2, 2) / (zoom[0] + draws[4] * (zoom[1] - zoom[0]))
    shift = torch.tensor(shift) * (2 * draws[1:3] - 1)
    for name in names:
        picture = sample[name]
        size = torch.tensor([picture.shape[-1], picture.shape[-2]])
        # Positions from -1 to 1, as affine_grid counts them.
        turn = back * size / size[:, None]
        theta = torch.cat([turn, -2 * (turn @ shift)[:, None]], dim=1)
        shape = [1, *picture.shape]
        grid = torch.nn.functional.affine_grid(theta[None], shape, False)
        moved = torch.nn.functional.grid_sample(
            picture[None].float(), grid, padding_mode="border", align_corners=False
        )
        sample[name] = tv_tensors.wrap(moved[0].round().to(torch.uint8), like=picture)
