# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: call_own


def call_own_batch(
    batch, function, fields, results, channels_last, seed, form="numpy", by_name=False
):
    """Put what your function returns for fields of a batch in their place."""
    declared = {n: (batch[n].dtype, batch[n].shape) for n in results}
    return call_own(
        batch, function, fields, results, channels_last, seed, declared, form, by_name
    )
