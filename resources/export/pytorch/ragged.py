# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torch.utils.data import default_collate


def collate(samples):
    """Return a batch, in which fields with a row for each object are lists."""
    fields = {name: [sample[name] for sample in samples] for name in samples[0]}
    return {n: v if n in RAGGED else default_collate(v) for n, v in fields.items()}
