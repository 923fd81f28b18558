# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import millrace


def make_loader(
    rank: int = RANK, world_size: int = WORLD_SIZE
) -> millrace.Loader:
    """Return the loader of this rank's part of the data."""
    return millrace.Loader(
        PIPELINE,
        shard=(rank, world_size) if world_size > 1 else None,
        no_random=NO_RANDOM,
    )
