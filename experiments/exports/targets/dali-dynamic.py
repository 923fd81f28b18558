# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to dali-dynamic` writes: as DALI's pipelines."""

from targets.dali import TOLERANCE, TRAINING, batches, epochs, trainings

LOADERS = ["dali_dynamic", "dali"]  # by hand, in this mode and in a pipeline
__all__ = ["LOADERS", "TOLERANCE", "TRAINING", "batches", "epochs", "trainings"]
