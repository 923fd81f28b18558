# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def split_place(name):
    """In [0, 1), from the name alone: FNV-1a, mixed as MurmurHash3 ends."""
    mask = 2**64 - 1
    value = 14695981039346656037
    for byte in name:
        value = (value ^ byte) * 1099511628211 & mask
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & mask
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & mask
    return ((value ^ value >> 33) >> 11) * 2.0**-53


def split_part(source, part, share):
    """For each sample whether it belongs to the part: it never moves."""
    wanted = part == "validation"
    return [(split_place(name) < share) == wanted for name in source.names]
