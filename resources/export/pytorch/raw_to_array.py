# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: tensors
import numpy as np


class RawToArray:
    """Reads bytes as an array of numbers; big: highest byte first."""

    def __init__(self, field, big=False):
        self.field, self.big = field, big

    def __call__(self, sample):
        data = as_bytes(sample[self.field.key])
        dtype = np.dtype(self.field.dtype).newbyteorder("<>"[self.big])
        values = np.frombuffer(data, dtype).astype(self.field.dtype)
        tensor = as_tensor(self.field.array(values), self.field)
        return {**sample, self.field.key: tensor}
