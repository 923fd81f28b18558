# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to dali` writes."""

import itertools
import os

# In levels of 255. DALI resizes with the same weights in float and rounds once.
# Where its filter reaches outside of the picture it repeats the edge; Pillow and
# Millrace weigh what lies inside alone. Of a triangle around the middle of an
# outermost pixel an eighth lies outside, so there a share of 1/8, in a corner of
# 1 - (7/8)^2, is of the edge and not of the mean of what lies inside: 32 levels
# at most, in a corner 60, and one more by rounding. Such pixels are few: the mean
# stays that of the roundings, a quarter.
TOLERANCE = {"most": 61.0, "mean": 0.25}

_SYNTHETIC = "all generated samples hold the same numbers, as the head says"
KNOWN = {
    "features": _SYNTHETIC,
    "float features": _SYNTHETIC,
    "made-up pictures": _SYNTHETIC,
}


def batches(module):
    source = module.make_source()
    keys = iter(module.epoch_order(source, 0))
    for (batch,) in module.make_loader():
        fields = {name: value.numpy() for name, value in batch.items()}
        rows = len(next(iter(fields.values())))
        numbers = [key % len(source) for key in itertools.islice(keys, rows)]
        yield [os.fsdecode(source.names[i]) for i in numbers], fields


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    loader = module.make_loader()
    while True:
        for (batch,) in loader:
            yield len(next(iter(batch.values())))
