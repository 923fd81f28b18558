# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def balanced(order, source, to, rng):
    """Every class equally often, in turn; rare ones are repeated as copies."""
    count = len(source)
    labels = np.asarray(source.labels)[order % count]
    groups = [order[labels == label] for label in np.unique(labels)]
    sizes = [len(group) for group in groups]
    mean = (sum(sizes) + len(sizes) // 2) // len(sizes)
    size = {"largest": max(sizes), "smallest": min(sizes), "mean": mean}[to]
    rounds = order.max() // count + 1
    columns = []
    for group in groups:
        copies = []
        for copy in range(-(-size // len(group))):
            group = group if rng is None else rng.permutation(group)
            copies.append(group + copy * rounds * count)
        columns.append(np.concatenate(copies)[:size])
    return np.stack(columns, axis=1).ravel()
