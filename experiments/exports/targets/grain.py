# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to grain` writes.

In one thread: its processes import JAX and take long to start.
"""

# In levels of 255. Some pixels of resized pictures, one in 200, differ by a level.
TOLERANCE = {"most": 1.01, "mean": 0.01}
EXTRA = {"resize bicubic": 3.0}  # as measured: both clamp after each pass

_SYNTHETIC = "all generated samples hold the same numbers, as the head states"
KNOWN = {
    "features": _SYNTHETIC,
    "float features": _SYNTHETIC,
    "made-up pictures": _SYNTHETIC,
    "affine with mask": "Pillow does not blend at the border, as the head states",
    "grey": "Pillow computes grey from RGB, as the head states",
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
