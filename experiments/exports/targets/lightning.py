# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to lightning` writes.

Its loader is that of the target pytorch.
"""

import sys

from targets.pytorch import TOLERANCE, TRAINING, batches, epochs

__all__ = ["TOLERANCE", "TRAINING", "batches", "epochs", "trainings"]


def trainings(file):
    """Two epochs, and a third from the checkpoint."""
    return [[sys.executable, file, "--epochs", count] for count in (2, 3)]
