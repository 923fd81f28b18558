# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0


def pad_objects(sample, count, fills):
    """Give every picture the same number of objects."""
    for name, fill in fills.items():
        rows = sample[name][:count]
        padded = rows.new_full((count, *rows.shape[1:]), fill)
        padded[: len(rows)] = rows
        sample[name] = padded
