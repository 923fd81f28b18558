# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch


def shuffled_in_window(order, size, generator):
    """Return the samples drawn from a window that moves over the order."""
    window, rest = order[:size], iter(order[size:])
    result = []
    while window:
        place = int(torch.randint(len(window), (), generator=generator))
        result.append(window[place])
        following = next(rest, None)
        if following is None:
            window[place] = window[-1]
            window.pop()
        else:
            window[place] = following
    return result
