# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def shard(order, rank, world_size, uneven="pad"):
    """Return every world_size-th sample, beginning with number rank.

    pad: shorter parts repeat samples from the beginning; drop: the rest is
    left out; allow: parts may differ by one.
    """
    if uneven == "drop":
        order = order[: len(order) // world_size * world_size]
    elif uneven == "pad" and order:
        missing = -len(order) % world_size
        order = order + (order * (missing // len(order) + 1))[:missing]
    return order[rank::world_size]
