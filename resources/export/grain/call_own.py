# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: own own_results
import numpy as np
from PIL import Image


def given(value, form):
    """A field as your function expects it."""
    value = np.asarray(value)
    picture = value.ndim == 3
    if form == "torch":
        import torch

        tensor = torch.from_numpy(value)
        return tensor.permute(2, 0, 1) if picture else tensor
    if form == "pil" and picture:
        return Image.fromarray(value[:, :, 0] if value.shape[2] == 1 else value)
    return value.copy() if value.ndim else value[()]


def taken(value, before):
    """A result as the field that it replaces."""
    tensor = hasattr(value, "detach")
    array = value.detach().cpu().numpy() if tensor else np.array(value)
    if tensor and array.ndim == 3:
        array = array.transpose(1, 2, 0)
    if array.ndim == 2 and np.ndim(before) == 3:
        array = array[:, :, None]
    return array


def call_own(sample, function, fields, results, rng, form="numpy", by_name=False):
    """Put what your function returns for some fields in their place."""
    values = {name: given(sample[name], form) for name in fields}
    returned = own_results(function, values, results, by_name, lambda: rng)
    return {**sample, **{n: taken(v, sample.get(n)) for n, v in returned.items()}}
