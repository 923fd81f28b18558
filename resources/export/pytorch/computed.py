# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors


def real(value):
    """The numbers of a field as f64; a single one fits any shape."""
    value = torch.as_tensor(value).as_subclass(torch.Tensor).double()
    return value.reshape(()) if value.numel() == 1 else value


def computed(sample, name, value, dtype, shape=None):
    """Add a result to the sample; shape: that of a single number."""
    value = value.to(dtype)
    if shape is not None:
        value = value.reshape(shape)
    if isinstance(sample.get(name), tv_tensors.TVTensor):
        value = tv_tensors.wrap(value, like=sample[name])
    return {**sample, name: value}
