# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math
import random

import torch
from torchvision import tv_tensors


def random_warp(sample, names, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom pictures alike, beyond whose edges it repeats.

    v2.RandomAffine has other ranges, and fills with one colour.
    """
    angle = math.radians(random.uniform(-rotation, rotation))
    slope = math.tan(math.radians(random.uniform(-shear, shear)))
    scale = random.uniform(*zoom)
    # Positions from -1 to 1, as affine_grid counts them.
    x, y = 2 * random.uniform(-shift[0], shift[0]), 2 * random.uniform(-shift[1], shift[1])
    sine, cosine = math.sin(angle) / scale, math.cos(angle) / scale
    for name in names:
        picture = sample[name]
        k = picture.shape[-2] / picture.shape[-1]
        rows = (cosine - sine * slope, k * (sine + cosine * slope)), (-sine / k, cosine)
        theta = torch.tensor([[[a, b, -a * x - b * y] for a, b in rows]])
        grid = torch.nn.functional.affine_grid(theta, [1, *picture.shape], False)
        moved = torch.nn.functional.grid_sample(
            picture[None].float(), grid, padding_mode="border", align_corners=False
        )
        sample[name] = tv_tensors.wrap(moved[0].round_().to(torch.uint8), like=picture)
