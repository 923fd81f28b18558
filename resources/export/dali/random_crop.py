# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def random_crop(sample, fields, seed, height, width):
    whole, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    return cut(sample, scales, integer(uniform(seed, [2]), whole - size), size)
