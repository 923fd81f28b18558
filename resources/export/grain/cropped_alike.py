# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def random_crop_alike(sample, names, rng, height, width):
    """Cut the same part out of each picture; its size is in pixels of the first."""
    rows, columns = sample[names[0]].shape[:2]
    top, left = rng.integers([rows - height + 1, columns - width + 1])
    for name in names:
        k = sample[name].shape[0] // rows
        part = sample[name][k * top : k * (top + height), k * left : k * (left + width)]
        sample[name] = part
