# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: own own_results own_rng
import torch


def call_own_batch(
    batch, function, fields, results, channels_last, form="numpy", by_name=False
):
    """Put what your function returns for fields of a batch in their place."""

    def given(name):
        value = batch[name]
        if form == "torch":
            return value
        return (value.movedim(1, -1) if name in channels_last else value).numpy()

    def taken(name, value):
        if isinstance(value, torch.Tensor):
            return value
        value = torch.as_tensor(value)
        return value.movedim(-1, 1).contiguous() if name in channels_last else value

    values = {name: given(name) for name in fields}
    returned = own_results(function, values, results, by_name, own_rng)
    return {**batch, **{n: taken(n, v) for n, v in returned.items()}}
