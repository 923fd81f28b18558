# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def repeated(order, count, samples):
    """Copies have different keys, and therefore different draws."""
    stride = (order.max() // samples + 1) * samples
    return np.concatenate([order + copy * stride for copy in range(count)])
