# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision.transforms import v2


class RandomGamma(v2.Transform):
    """Raises values to a random power, the same in all pictures of a sample."""

    def __init__(self, low, high, p):
        super().__init__()
        self.low, self.high, self.p = low, high, p

    def make_params(self, flat_inputs):
        changed = bool(torch.rand(()) < self.p)
        gamma = float(torch.empty(()).uniform_(self.low, self.high))
        return {"gamma": gamma if changed else None}

    def transform(self, inpt, params):
        if params["gamma"] is None:
            return inpt
        return self._call_kernel(v2.functional.adjust_gamma, inpt, **params)
