# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: own own_results own_rng
import numpy as np
import torch
from torchvision import tv_tensors
from torchvision.transforms.v2 import functional


def given(value, form):
    """A field as your function expects it."""
    if not isinstance(value, tv_tensors.TVTensor):
        return np.asarray(value)[()] if form != "torch" else torch.as_tensor(value)
    value = value.as_subclass(torch.Tensor)
    if form == "pil":
        return functional.to_pil_image(value)
    return value if form == "torch" else value.permute(1, 2, 0).contiguous().numpy()


def taken(value, before):
    """A result as the field that it replaces."""
    if isinstance(value, torch.Tensor):
        tensor = value
    else:
        tensor = torch.from_numpy(np.array(value))
        if isinstance(before, tv_tensors.TVTensor):
            tensor = tensor[:, :, None] if tensor.ndim == 2 else tensor
            tensor = tensor.permute(2, 0, 1).contiguous()
    if isinstance(before, tv_tensors.TVTensor):
        tensor = tv_tensors.wrap(tensor, like=before)
    return tensor


def call_own(sample, function, fields, results, form="numpy", by_name=False):
    """Put what your function returns for some fields in their place."""
    values = {name: given(sample[name], form) for name in fields}
    returned = own_results(function, values, results, by_name, own_rng)
    return {**sample, **{n: taken(v, sample.get(n)) for n, v in returned.items()}}
