# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def uniform(rng, count):
    """Exported without randomness: every draw is the centre of its range."""
    return np.full(count, 0.5)


def integer(unit, highest):
    return highest // 2


def coin(unit, probability):
    return probability >= 1.0
