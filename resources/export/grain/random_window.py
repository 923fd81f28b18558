# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math


def random_window(shape, rng, scale, ratio):
    """Return a part as in torchvision: the first of ten that fits, or the centre."""
    for _ in range(10):
        area = shape[0] * shape[1] * rng.uniform(*scale)
        aspect = math.exp(rng.uniform(math.log(ratio[0]), math.log(ratio[1])))
        height, width = round(math.sqrt(area / aspect)), round(math.sqrt(area * aspect))
        if 0 < height <= shape[0] and 0 < width <= shape[1]:
            top, left = rng.integers([shape[0] - height + 1, shape[1] - width + 1])
            return slice(top, top + height), slice(left, left + width)
    height = min(shape[0], max(round(shape[1] / ratio[0]), 1))
    width = min(shape[1], max(round(shape[0] * ratio[1]), 1))
    top, left = (shape[0] - height) // 2, (shape[1] - width) // 2
    return slice(top, top + height), slice(left, left + width)
