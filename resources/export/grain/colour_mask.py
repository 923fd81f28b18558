# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def colours_to_indices(sample, name, colours, other, strict):
    """Turns colours into class numbers; `other`: if a colour has no class."""
    powers = np.array([65536, 256, 1])
    known = (sample[name] @ powers)[..., None] == np.array(colours) @ powers
    found = known.any(-1, keepdims=True)
    if strict and not found.all():
        raise ValueError(f"{name} has pixels whose colour has no class")
    indices = known.argmax(-1)[..., None]
    return {**sample, name: np.where(found, indices, other).astype(np.uint8)}
