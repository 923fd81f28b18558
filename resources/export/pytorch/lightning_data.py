# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import lightning


class Data(lightning.LightningDataModule):
    """The batches for training, and those for validation if there are any.

    validation: make_loader of another exported file, usually of other data and
    without random values (--no-random). Both loaders share their data between
    ranks: give the Trainer use_distributed_sampler=False.
    """

    def __init__(self, validation=None):
        super().__init__()
        self.validation = validation

    def train_dataloader(self):
        return make_loader(self.trainer.global_rank, self.trainer.world_size)

    def val_dataloader(self):
        if self.validation is None:
            return []
        return self.validation(self.trainer.global_rank, self.trainer.world_size)
