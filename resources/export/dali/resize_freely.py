# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
from nvidia.dali import fn, math


def resize_freely(sample, fields, height, width, method, antialias, at_least):
    """Keeps the aspect ratio; both sides are at least, or at most, these."""
    whole, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    kept = fn.stack(size[1] * whole[0] // whole[1], size[0] * whole[1] // whole[0])
    size = math.max(kept, size) if at_least else math.max(math.min(kept, size), 1)
    return resize_fields(sample, scales, size, method, antialias)
