# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import torch


def own_rng():
    return np.random.default_rng(torch.randint(2**63 - 1, ()).item())
