# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def random_crop(sample, fields, rng, height, width):
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    across, down = uniform(rng, 2)
    top, left = integer(down, rows - height), integer(across, columns - width)
    return cut(sample, scales, top, left, height, width)
