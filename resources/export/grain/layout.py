# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def to_channels_first(sample, fields):
    turned = {n: np.ascontiguousarray(sample[n].transpose(2, 0, 1)) for n in fields}
    return {**sample, **turned}
