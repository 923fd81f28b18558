# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def split_place(name):
    """In [0, 1), from the name alone: FNV-1a, finalised as in MurmurHash3."""
    mask = 2**64 - 1
    value = 14695981039346656037
    for byte in name:
        value = (value ^ byte) * 1099511628211 & mask
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & mask
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & mask
    return ((value ^ value >> 33) >> 11) * 2.0**-53


def split_part(source, part, share):
    """Whether each sample belongs to the part, which depends on its name alone."""
    wanted = part == "validation"
    return [(split_place(name) < share) == wanted for name in source.names]
