# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import numpy as np
from PIL import Image


def random_affine(
    sample, fields, rng, rotation, shift, shear, zoom, method, border, fill, mask_fill
):
    """Rotates, shifts, shears and zooms pictures of any size by one draw."""
    draws = uniform(rng, 5)
    angle = (2 * draws[0] - 1) * math.radians(rotation)
    shift_x, shift_y = (2 * draws[1] - 1) * shift[0], (2 * draws[2] - 1) * shift[1]
    slope = math.tan((2 * draws[3] - 1) * math.radians(shear))
    scale = zoom[0] + draws[4] * (zoom[1] - zoom[0])
    cos, sin = math.cos(angle), math.sin(angle)
    xx, xy = (cos - sin * slope) / scale, (sin + cos * slope) / scale
    yx, yy = -sin / scale, cos / scale
    moved = {}
    for name in fields:
        picture = sample[name]
        height, width, count = picture.shape
        x, y = width * (0.5 + shift_x), height * (0.5 + shift_y)
        x0, y0 = width / 2 - xx * x - xy * y, height / 2 - yx * x - yy * y
        how = "NEAREST" if name == "mask" else method.upper()
        colour = np.broadcast_to(mask_fill if name == "mask" else fill, count)
        result = Image.fromarray(picture[..., 0] if count == 1 else picture).transform(
            (width, height),
            Image.Transform.AFFINE,
            (xx, xy, x0, yx, yy, y0),
            Image.Resampling[how],
            fillcolor=tuple(map(int, colour)) if count > 1 else int(colour[0]),
        )
        moved[name] = np.atleast_3d(result)
    return {**sample, **moved}
