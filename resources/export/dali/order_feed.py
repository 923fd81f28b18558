# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
class OrderFeed:
    """Reads the samples of one batch after the other.

    DALI's file readers shuffle within a window and shard in blocks; this
    gives each epoch a different order, the same on every rank.
    """

    def __init__(self, source, first_epoch):
        self.source, self.first_epoch = source, first_epoch
        self.epoch, self.order = None, []

    def __call__(self, batch):
        if batch.epoch_idx != self.epoch:
            self.epoch = batch.epoch_idx
            self.order = epoch_order(self.source, self.first_epoch + self.epoch)
        start = batch.iteration * BATCH_SIZE
        keys = self.order[start : start + BATCH_SIZE]
        if len(keys) < (BATCH_SIZE if DROP_LAST else 1):
            raise StopIteration
        return self.columns([int(key) % len(self.source) for key in keys])
