# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def padded_shard(ds, rank, world_size):
    """Shorter parts repeat samples from the beginning: all are equal."""
    share = -(-ds.cardinality() // world_size)
    return ds.repeat().shard(world_size, rank).take(share)


def even_shard(ds, rank, world_size):
    """Leftover samples are dropped: all parts are equal."""
    return ds.shard(world_size, rank).take(ds.cardinality() // world_size)
