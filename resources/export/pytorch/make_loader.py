# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torch.utils.data import DataLoader


def make_loader(rank: int = RANK, world_size: int = WORLD_SIZE) -> DataLoader:
    """Return the loader; call its sampler's set_epoch before each epoch."""
    source = make_source()
    return DataLoader(
        make_dataset(source),
        batch_size=BATCH_SIZE,
        sampler=EpochSampler(source, rank, world_size),
        num_workers=WORKERS,
        collate_fn=collate,
        pin_memory=torch.cuda.is_available(),
        drop_last=DROP_LAST,
        generator=torch.Generator().manual_seed(SEED + rank),
        prefetch_factor=PREFETCH_PER_WORKER if WORKERS > 0 else None,
        persistent_workers=WORKERS > 0,
    )
