# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def padded_shard(order, rank, world_size):
    """Shorter parts repeat samples from the beginning: all are equal."""
    share = -(-len(order) // world_size)
    return order[(rank + np.arange(share) * world_size) % len(order)]


def even_shard(order, rank, world_size):
    """Leftover samples are dropped: all parts are equal."""
    return order[rank::world_size][: len(order) // world_size]
