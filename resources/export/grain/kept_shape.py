# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def kept_shape(rows, columns, height, width, choose):
    """The size with the picture's aspect ratio, within (or around) another."""
    scale = choose(height / rows, width / columns)
    sides = [max(int(side * scale + 0.5), 1) for side in (rows, columns)]
    return choose(sides[0], height), choose(sides[1], width)
