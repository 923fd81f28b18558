# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def kept(order, part):
    """The samples that `part` marks."""
    return order[np.asarray(part)[order % len(part)]]
