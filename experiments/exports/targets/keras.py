# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to keras` writes.

Its data set is that of the target tfdata.
"""

import sys

from targets.tfdata import EXTRA, KNOWN, TOLERANCE, batches, epochs

__all__ = ["EXTRA", "KNOWN", "TOLERANCE", "TRAINING", "batches", "epochs", "trainings"]

TRAINING = []


def trainings(file):
    """Two epochs."""
    code = f"import {file.stem} as made; made.EPOCHS = 2; made.main()"
    return [[sys.executable, "-c", code]]
