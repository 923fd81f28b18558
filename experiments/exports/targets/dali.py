# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to dali` writes."""

import itertools
import os

# In levels of 255. DALI resizes with the same weights in float and rounds once.
# At the outermost rows and columns it repeats the edge where Pillow and Millrace
# take the weights of what lies inside alone: there a pixel may be off by many
# levels, which the greatest difference shows and the mean hardly does.
TOLERANCE = {"most": 40.0, "mean": 0.25}


def batches(module):
    """In the order of the data, which is that of an export without randomness."""
    names = itertools.cycle(module.make_source().names)
    for (batch,) in module.make_loader():
        fields = {name: value.numpy() for name, value in batch.items()}
        rows = len(next(iter(fields.values())))
        yield [os.fsdecode(next(names)) for _ in range(rows)], fields


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    loader = module.make_loader()
    while True:
        for (batch,) in loader:
            yield len(next(iter(batch.values())))
