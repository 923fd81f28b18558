# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: loader
from nvidia.dali.plugin.base_iterator import LastBatchPolicy


def make_loader(first_epoch=0):
    """Dicts of torch tensors; each iteration over it is the next epoch."""
    last = LastBatchPolicy.DROP if DROP_LAST else LastBatchPolicy.PARTIAL
    return Loader(
        make_pipeline(Feed(make_source(), first_epoch)),
        FIELDS,
        auto_reset=True,
        last_batch_policy=last,
    )
