# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def crop_alike(sample, names, height, width):
    """Cut out the centre of each picture; its size is in pixels of the first."""
    rows, columns = sample[names[0]].shape[:2]
    top, left = (rows - height) // 2, (columns - width) // 2
    for name in names:
        k = sample[name].shape[0] // rows
        part = sample[name][k * top : k * (top + height), k * left : k * (left + width)]
        sample[name] = part
