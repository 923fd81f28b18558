# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def split_place(name):
    """In [0, 1), from the name alone: FNV-1a, finalised as in MurmurHash3."""
    mask = 2**64 - 1
    value = 14695981039346656037
    for byte in os.fsencode(name):
        value = (value ^ byte) * 1099511628211 & mask
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & mask
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & mask
    return ((value ^ value >> 33) >> 11) * 2.0**-53


def split_part(source, part, share, each_class=False):
    """Whether each sample belongs to the part, which follows from the names."""
    wanted = part == "validation"
    places = [split_place(name) for name in source.names]
    if not each_class:
        return [(place < share) == wanted for place in places]
    labels, classes = getattr(source, "labels", None), {}
    for i in sorted(range(len(places)), key=places.__getitem__):
        classes.setdefault(None if labels is None else int(labels[i]), []).append(i)
    validation = set()
    for samples in classes.values():
        count = int(share * len(samples) + 0.5)
        if len(samples) > 1 and 0 < share < 1:
            count = min(max(count, 1), len(samples) - 1)
        validation.update(samples[:count])
    return [(i in validation) == wanted for i in range(len(places))]
