# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def normalise(sample, fields, mean, deviation, full):
    """`full` becomes 1 first; `mean` and `deviation` are per channel."""
    scale = 1 / (full * np.array(deviation, np.float32))
    shift = np.divide(mean, deviation, dtype=np.float32)
    results = {name: sample[name] * scale - shift for name in fields}
    return {**sample, **results}
