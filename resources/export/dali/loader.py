# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from nvidia.dali.plugin.pytorch import DALIGenericIterator


class Loader(DALIGenericIterator):  # dicts of tensors, without empty ones
    def __next__(self):
        (batch,) = super().__next__()
        return batch if len(batch[FIELDS[0]]) else next(self)
