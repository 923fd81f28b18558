# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def uniform(rng, count):
    """In [0, 1)."""
    return rng.random(count)


def integer(unit, highest):
    """0 to `highest`, both included, from a number in [0, 1)."""
    return int(unit * (highest + 1))


def coin(unit, probability):
    return unit < probability
