# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized pad kept_shape
from nvidia.dali import math


def resize_to_fit(
    sample, fields, height, width, method, antialias, fill, mask_fill
):
    """Resizes with the aspect ratio kept, until it fits; fills the rest."""
    whole, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    inner = kept_shape(whole, size, math.min)
    sample = resize_fields(sample, scales, inner, method, antialias)
    before = (size - inner) // 2
    after = size - inner - before
    return widened(sample, scales, before, after, fill, mask_fill)
