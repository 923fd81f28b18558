# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import zlib

from nvidia.dali import fn, math, types


def draw(node):
    """The seed of a node's draws, different on every rank."""
    return (zlib.crc32(node.encode()) + SEED + 1_000_003 * RANK) % 2**31


def uniform(seed, shape):
    """In [0, 1)."""
    return fn.random.uniform(range=[0.0, 1.0], shape=shape, seed=seed)


def integer(unit, highest):
    """0 to `highest`, both included, from a number in [0, 1)."""
    return fn.cast(math.floor(unit * (highest + 1)), dtype=types.INT32)


def coin(unit, probability):
    return unit < probability
