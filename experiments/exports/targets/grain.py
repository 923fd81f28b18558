# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to grain` writes.

In one thread: its processes import JAX and take long to start.
"""

# In levels of 255. Pillow resizes as Millrace does; normalised values are rounded
# to floats in another order of operations.
TOLERANCE = {"most": 0.01, "mean": 0.001}

_SYNTHETIC = "all generated samples hold the same numbers, as the head states"
KNOWN = {
    "features": _SYNTHETIC,
    "float features": _SYNTHETIC,
    "made-up pictures": _SYNTHETIC,
}


def batches(module):
    module.WORKERS = 0
    for batch in module.make_dataset():
        yield None, batch


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    while True:
        for batch in module.make_dataset():
            yield len(next(iter(batch.values())))
