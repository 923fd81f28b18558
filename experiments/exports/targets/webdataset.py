# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to webdataset` writes."""

from targets.pytorch import TOLERANCE

__all__ = ["CONVERT", "TOLERANCE", "batches", "epochs"]

# It reads shards only.
CONVERT = "webdataset"


def batches(module):
    module.WORKERS = 1  # several interleave their shards
    for batch in module.make_loader():
        yield None, {name: value.numpy() for name, value in batch.items()}


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    loader = module.make_loader()
    while True:
        for batch in loader:
            yield len(next(iter(batch.values())))
