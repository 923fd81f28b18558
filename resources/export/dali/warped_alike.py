# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from nvidia.dali import fn, math


def random_warp(sample, names, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom pictures alike, beyond whose edges it repeats."""
    draws = fn.random.uniform(range=[-1.0, 1.0], shape=[5])
    angle = draws[0] * float(np.radians(rotation))
    slope = math.tan(draws[3] * float(np.radians(shear)))
    scale = (zoom[0] + zoom[1] + draws[4] * (zoom[1] - zoom[0])) / 2
    xx = (math.cos(angle) - math.sin(angle) * slope) / scale
    xy = (math.sin(angle) + math.cos(angle) * slope) / scale
    yx, yy = -math.sin(angle) / scale, math.cos(angle) / scale
    for name in names:
        half = sample[name].shape() / 2.0
        x = half[1] * (2 * shift[0] * draws[1] + 1)
        y = half[0] * (2 * shift[1] * draws[2] + 1)
        row_x = fn.stack(xx, xy, half[1] - xx * x - xy * y)
        row_y = fn.stack(yx, yy, half[0] - yx * x - yy * y)
        sample[name] = fn.warp_affine(sample[name], matrix=fn.stack(row_x, row_y))
