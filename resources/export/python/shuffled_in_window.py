# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def shuffled_in_window(order, size, rng):
    """As in tf.data: draws one of a window, and puts the next in its place."""
    window, rest = list(order[:size]), iter(order[size:])
    shuffled = []
    while window:
        at = rng.integers(len(window))
        shuffled.append(window[at])
        following = next(rest, None)
        last = window.pop() if following is None else following
        if at < len(window):
            window[at] = last
    return np.asarray(shuffled, dtype=np.int64)
