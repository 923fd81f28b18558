# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own data sets: parts of others."""
from millrace_own_python.chain import Theirs, source
from millrace_own_python.known import known_source


@source("torch.Subset")
def subset(dataset, path, translation):
    found = known_source(dataset.dataset, path + ".dataset", translation)
    found.only([int(i) for i in dataset.indices])
    return found


@source("torch.ConcatDataset")
def joined(dataset, path, translation):
    raise Theirs("several data sets are joined")
