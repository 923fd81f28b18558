# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torch.utils.data import Sampler


class EpochSampler(Sampler[int]):
    """This rank's samples, in a different order in each epoch.

    Call set_epoch before each epoch, as with DistributedSampler.
    """

    def __init__(self, source, rank, world_size):
        self.source, self.rank, self.world_size = source, rank, world_size
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def order(self) -> list[int]:
        generator = torch.Generator().manual_seed(SEED + self.epoch)
        return epoch_order(
            self.source, generator, self.rank, self.world_size
        )

    def __iter__(self):
        return iter(self.order())

    def __len__(self):
        return len(self.order())
