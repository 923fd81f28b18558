# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch


def shuffled(order, generator):
    """Return the samples in random order."""
    places = torch.randperm(len(order), generator=generator)
    return [order[place] for place in places.tolist()]
