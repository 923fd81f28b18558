# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import ml_dtypes  # NumPy has no bfloat16 without it
import numpy as np


def to_dtype(sample, fields, dtype, full):
    """Scales values so that `full` becomes 1."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    results = {n: (sample[n].astype(np.float32) / full).astype(kind) for n in fields}
    return {**sample, **results}
