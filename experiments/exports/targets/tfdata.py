# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to tfdata` writes."""

import itertools
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

# In levels of 255. Millrace resizes as Pillow does, across and then down, and
# rounds after each pass; TensorFlow rounds once, at the end. Rounding across
# moves a value by half a level, the weights down sum to 1, and both round once
# more at the end: 0.5 + 0.5 + 0.5, so at most 1 whole level. In the mean a
# quarter: the two roundings differ where the sum is near a half.
TOLERANCE = {"most": 1.01, "mean": 0.25}


def batches(module):
    """In the order of the data, which is that of an export without randomness."""
    names = itertools.cycle(module.make_source().names)
    for batch in module.make_dataset():
        fields = {name: value.numpy() for name, value in batch.items()}
        rows = len(next(iter(fields.values())))
        yield [os.fsdecode(next(names)) for _ in range(rows)], fields


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    for batch in module.make_dataset(epochs=1 << 30):
        yield len(next(iter(batch.values())))
