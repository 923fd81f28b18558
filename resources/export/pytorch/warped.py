# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math
import random

import torch


def random_motion(rotation, shift, shear, zoom):
    """Draw a turn and a zoom, a slope, and a way as a part of the sides."""
    angle = math.radians(random.uniform(-rotation, rotation))
    slope = math.tan(math.radians(random.uniform(-shear, shear)))
    scale = random.uniform(*zoom)
    way = [random.uniform(-most, most) for most in shift]
    return math.sin(angle) / scale, math.cos(angle) / scale, slope, *way


def warped(picture, motion):
    """Move a picture and repeat its edges. v2.RandomAffine fills with one colour."""
    sine, cosine, slope, x, y = motion
    k = picture.shape[-2] / picture.shape[-1]
    rows = (cosine - sine * slope, k * (sine + cosine * slope)), (-sine / k, cosine)
    # Positions are from -1 to 1, as affine_grid counts them.
    theta = torch.tensor([[[a, b, -2 * (a * x + b * y)] for a, b in rows]])
    grid = torch.nn.functional.affine_grid(theta, [1, *picture.shape], False)
    return torch.nn.functional.grid_sample(
        picture[None].float(), grid, padding_mode="border", align_corners=False
    )[0].round_()
