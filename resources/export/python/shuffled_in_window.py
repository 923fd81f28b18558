# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def shuffled_in_window(order, size, rng):
    """As tf.data does it: one of the window is drawn, the next takes its place."""
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
