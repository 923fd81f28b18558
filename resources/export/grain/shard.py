# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def padded_shard(ds, rank, world_size):
    """This rank's part; missing samples are taken from the start again."""
    each = -(-len(ds) // world_size)
    return ds.repeat(world_size)[: each * world_size][rank::world_size]


def even_shard(ds, rank, world_size):
    """This rank's part; what cannot be divided evenly is left out."""
    return ds[: len(ds) // world_size * world_size][rank::world_size]
