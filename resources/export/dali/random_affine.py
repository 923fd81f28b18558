# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
import numpy as np
from nvidia.dali import fn, math, types


def warped(picture, fill, **how):
    """DALI fills with one number: a colour is transformed channel by channel."""
    if len(set(fill)) == 1:
        return fn.warp_affine(picture, fill_value=fill[0], **how)
    planes = [
        fn.warp_affine(picture[:, :, c : c + 1], fill_value=value, **how)
        for c, value in enumerate(fill)
    ]
    return fn.cat(*planes, axis=2)


def random_affine(
    sample, fields, seed, rotation, shift, shear, zoom, method, border, fill, mask_fill
):
    """Rotates, shifts, shears and zooms pictures of any size by one draw."""
    draws = uniform(seed, [5])
    angle = (2.0 * draws[0] - 1.0) * float(np.radians(rotation))
    shift_x = (2.0 * draws[1] - 1.0) * shift[0]
    shift_y = (2.0 * draws[2] - 1.0) * shift[1]
    slope = math.tan((2.0 * draws[3] - 1.0) * float(np.radians(shear)))
    scale = zoom[0] + draws[4] * (zoom[1] - zoom[0])
    xx = (math.cos(angle) - math.sin(angle) * slope) / scale
    xy = (math.sin(angle) + math.cos(angle) * slope) / scale
    yx = -math.sin(angle) / scale
    yy = math.cos(angle) / scale
    moved = {}
    for name in fields:
        picture = pixels(sample[name])
        size = size_of(picture)
        height, width = size[0], size[1]
        x, y = width * (shift_x + 0.5), height * (shift_y + 0.5)
        x0, y0 = width * 0.5 - xx * x - xy * y, height * 0.5 - yx * x - yy * y
        nearest = name == "mask" or method == "nearest"
        how = {
            "matrix": fn.reshape(fn.stack(xx, xy, x0, yx, yy, y0), shape=[2, 3]),
            "interp_type": types.INTERP_NN if nearest else types.INTERP_LINEAR,
        }
        if border == "constant":
            colour = mask_fill if name == "mask" else fill
            moved[name] = warped(picture, colour, **how)
        else:
            moved[name] = fn.warp_affine(picture, **how)
    return {**sample, **moved}
