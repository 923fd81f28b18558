# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: tensors
import math

import numpy as np
import torch


class UnpackBits:
    """Replaces packed bits by fields of 0 and 1.

    A part's key is the number of its first bit, counted from the highest one.
    """

    def __init__(self, field, parts):
        self.field, self.parts = field, parts

    def __call__(self, sample):
        sample = dict(sample)
        packed = as_bytes(sample.pop(self.field))
        bits = np.unpackbits(np.frombuffer(packed, np.uint8))
        for name, part in self.parts.items():
            run = bits[part.key : part.key + math.prod(part.shape)]
            tensor = as_tensor(run.reshape(part.shape), part)
            sample[name] = tensor.to(getattr(torch, part.dtype))
        return sample
