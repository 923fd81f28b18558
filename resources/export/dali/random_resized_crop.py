# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
from nvidia.dali import fn


def random_resized_crop(
    sample, fields, seed, height, width, scale, ratio, method, antialias
):
    whole, scales = coarsest_grid(sample, fields)
    start, part = fn.random_crop_generator(
        whole, random_area=scale, random_aspect_ratio=ratio, seed=seed
    )
    sample = cut(sample, scales, start, part)
    size = on_grid(scales, [height, width])
    return resize_fields(sample, scales, size, method, antialias)
