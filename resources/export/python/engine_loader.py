# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import millrace


def make_loader(rank=0, world_size=1):
    """Return the loader of this rank's part of the data."""
    shard = (rank, world_size) if world_size > 1 else None
    return millrace.Loader(PIPELINE, shard=shard)
