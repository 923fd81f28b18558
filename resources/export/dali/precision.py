# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode dtypes
import numpy as np
from nvidia.dali import fn


def to_dtype(sample, fields, dtype, full):
    """Scales values so that `full` becomes 1."""
    results = {}
    for name in fields:
        scaled = pixels(sample[name]) * np.float32(1.0 / full)
        results[name] = fn.cast(scaled, dtype=DTYPES[dtype])
    return {**sample, **results}
