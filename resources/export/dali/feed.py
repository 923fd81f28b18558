# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os

import numpy as np
from nvidia.dali import fn, types


class Feed:
    """Gives the pipeline the paths and classes of one batch after the other.

    Readers of files shuffle within a window and part a set in blocks; this
    gives each epoch an order of its own, the same on every rank.
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
        numbers = [key % len(self.source) for key in keys]
        columns = [
            [np.frombuffer(paths[i], np.uint8) for i in numbers]
            for paths in self.source.files.values()
        ]
        if self.source.labels is not None:
            columns.append([np.int64(self.source.labels[i]) for i in numbers])
        return columns

    def read(self):
        """The files' bytes by field, and the class."""
        fields = list(self.source.files)
        dtypes, ranks = [types.UINT8] * len(fields), [1] * len(fields)
        if self.source.labels is not None:
            fields.append("label")
            dtypes.append(types.INT64)
            ranks.append(0)
        columns = fn.external_source(
            source=self,
            num_outputs=len(fields),
            batch=True,
            batch_info=True,
            dtype=dtypes,
            ndim=ranks,
        )
        sample = dict(zip(fields, columns))
        for name, value in self.source.values.items():
            sample[name] = types.Constant(value)
        for name in self.source.files:
            sample[name] = fn.io.file.read(sample[name])
        return sample
