# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def random_crop(sample, fields, seed, height, width):
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    draws = uniform(seed, [2])
    left = integer(draws[0], columns - width)
    top = integer(draws[1], rows - height)
    return cut(sample, scales, top, left, height, width)
