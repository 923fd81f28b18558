# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: source
import numpy as np


def synthetic(count, field, shape, dtype, classes):
    """Samples generated in memory: a picture, or a row of features."""
    values = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    if dtype == "float32":
        values = values.astype(np.float32) / 256
    names = [f"synthetic#{i}".encode() for i in range(count)]
    labels = [i % classes for i in range(count)] if classes else None
    known = [str(i) for i in range(classes)]
    return Source(names, {}, labels, known, {field: values})
