# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import numpy as np


def erased(picture, rng, scale, ratio, fill):
    """As in torchvision: the first of ten tries that fits, otherwise nothing."""
    rows, columns, _ = picture.shape
    low, high = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(10):
        part, shape, down, across = uniform(rng, 4)
        area = rows * columns * (scale[0] + part * (scale[1] - scale[0]))
        shape = math.exp(low + shape * (high - low))
        height, width = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
        if 0 < height < rows and 0 < width < columns:
            top, left = integer(down, rows - height), integer(across, columns - width)
            box = slice(top, top + height), slice(left, left + width)
            picture = picture.copy()
            noise = uniform(rng, picture[box].shape) * 256 if fill is None else fill
            picture[box] = np.asarray(noise).astype(picture.dtype)
            return picture
    return picture


def random_erase(sample, fields, rng, scale, ratio, probability, fill):
    """Fills a rectangle with one colour, or with noise if `fill` is None."""
    if not coin(uniform(rng, 1)[0], probability):
        return sample
    results = {name: erased(sample[name], rng, scale, ratio, fill) for name in fields}
    return {**sample, **results}
