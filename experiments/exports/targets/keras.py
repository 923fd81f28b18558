# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to keras` writes.

Its data set is that of the target tfdata, but pictures keep their channels last.
"""

import pathlib
import sys

from targets import tfdata
from targets.tfdata import EXTRA, KNOWN, TOLERANCE, epochs

__all__ = ["EXTRA", "KNOWN", "TOLERANCE", "TRAINING", "batches", "epochs", "trainings"]

TRAINING = []


def batches(module):
    """Return pictures as Millrace does where the file says that it does not."""
    if "Pictures have their channels last" not in pathlib.Path(module.__file__).read_text():
        return tfdata.batches(module)

    def planes(value):
        is_picture = value.ndim == 4 and value.shape[-1] == 3
        return value.transpose(0, 3, 1, 2) if is_picture else value

    return (
        (names, {name: planes(value) for name, value in fields.items()})
        for names, fields in tfdata.batches(module)
    )


def trainings(file):
    """Two epochs."""
    code = f"import {file.stem} as made; made.EPOCHS = 2; made.main()"
    return [[sys.executable, "-c", code]]
