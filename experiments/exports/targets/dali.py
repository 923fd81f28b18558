# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to dali` writes."""

import itertools
import os
import sys

# In levels of 255. DALI resizes with the same weights in float and rounds once.
# Where its filter reaches outside the picture it repeats the edge; Pillow and
# Millrace only weight pixels inside. An eighth of a triangle around the centre of
# an outermost pixel is outside, so there a share of 1/8, in a corner 1 - (7/8)^2,
# comes from the edge instead of the mean of the inside: at most 32 levels, in a
# corner 60, and one more by rounding. Such pixels are few: the mean stays that of
# the roundings, a quarter.
TOLERANCE = {"most": 61.0, "mean": 0.25}

_SYNTHETIC = "all generated samples hold the same numbers, as the head states"
KNOWN = {
    "features": _SYNTHETIC,
    "float features": _SYNTHETIC,
    "made-up pictures": _SYNTHETIC,
}


def batches(module):
    if not hasattr(module, "make_source"):  # the short form
        for batch in module.make_loader():
            yield None, {name: value.numpy() for name, value in batch.items()}
        return
    source = module.make_source()
    keys = iter(module.epoch_order(source, 0))
    for batch in module.make_loader():
        fields = {name: value.numpy() for name, value in batch.items()}
        rows = len(next(iter(fields.values())))
        numbers = [key % len(source) for key in itertools.islice(keys, rows)]
        yield [os.fsdecode(source.names[i]) for i in numbers], fields


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    loader = module.make_loader()
    while True:
        for batch in loader:
            yield len(next(iter(batch.values())))


TRAINING = ["--with-training"]


def trainings(file):
    """Two epochs, a third from the checkpoint, and a fourth in two processes."""
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", 2]
    return [
        [sys.executable, file, "--epochs", 2],
        [sys.executable, file, "--epochs", 3],
        [*torchrun, file, "--epochs", 4],
    ]
