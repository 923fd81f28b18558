# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from nvidia.dali import fn


def draw(node):
    """Exported without randomness: every draw is the centre of its range."""
    return None


def uniform(seed, shape):
    values = [0.5] * int(np.prod(shape))
    return fn.constant(fdata=values, shape=shape)


def integer(unit, highest):
    return highest // 2


def coin(unit, probability):
    return unit < (1.0 if probability >= 1.0 else 0.0)
