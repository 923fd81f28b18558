# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def padded_shard(order, rank, world_size):
    """Shorter parts take samples from the front again: all are equal."""
    share = -(-len(order) // world_size)
    return order[(rank + np.arange(share) * world_size) % len(order)]


def even_shard(order, rank, world_size):
    """What is left over is left out: all parts are equal."""
    return order[rank::world_size][: len(order) // world_size]
