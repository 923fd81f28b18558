# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: own own_results
import numpy as np


def own_arrays(function, values, results, channels_last, rng, form, by_name):
    """What your function returns for arrays, as arrays. `channels_last`: pictures."""
    if form == "torch":
        import torch

        values = {n: torch.tensor(v) for n, v in values.items()}
        values.update({n: values[n].movedim(-1, -3) for n in channels_last if n in values})
    elif form == "pil":
        from PIL import Image

        for name in channels_last:
            if name in values:
                grey = values[name].shape[2] == 1
                values[name] = Image.fromarray(values[name][:, :, 0] if grey else values[name])
    returned = own_results(function, values, results, by_name, rng)
    for name, value in returned.items():
        if hasattr(value, "detach"):
            value = value.detach().cpu()
            value = value.movedim(-3, -1) if name in channels_last else value
        array = np.asarray(value)
        if name in channels_last and array.ndim == 2:
            array = array[:, :, None]
        returned[name] = np.ascontiguousarray(array) if array.ndim else array
    return returned
