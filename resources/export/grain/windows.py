# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def coarsest_grid(sample, fields):
    """The smallest picture's size, and how many times larger each picture is.

    Pictures of a pair may differ in size: parts are drawn on the coarsest
    grid and so lie on whole pixels of the others.
    """
    sizes = {name: sample[name].shape[:2] for name in fields}
    rows, columns = min(sizes.values())
    scales = {name: height // rows for name, (height, _) in sizes.items()}
    for name, size in sizes.items():
        if size != (rows * scales[name], columns * scales[name]):
            raise ValueError(f"{name} is not a multiple of the others: {sizes}")
    return rows, columns, scales


def on_grid(scales, length):
    """A length in pixels of the image field, on the coarsest grid."""
    return length // scales.get("image", 1)


def cut(sample, scales, top, left, height, width):
    """The same part of each picture, given on the coarsest grid."""
    parts = {}
    for name, k in scales.items():
        rows, columns = sample[name].shape[:2]
        bottom, right = (top + height) * k, (left + width) * k
        if min(top, left) < 0 or bottom > rows or right > columns:
            raise ValueError(f"{name} of {rows} x {columns} is too small")
        parts[name] = sample[name][top * k : bottom, left * k : right]
    return {**sample, **parts}
