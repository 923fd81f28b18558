# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
import dataclasses

from nvidia.dali import fn, types


@dataclasses.dataclass
class Normalised:
    """A picture normalised later, so that one operation also sets its layout."""

    picture: object
    mean: list
    std: list

    def pixels(self, layout="HWC"):
        return fn.crop_mirror_normalize(
            self.picture,
            dtype=types.FLOAT,
            output_layout=layout,
            mean=self.mean,
            std=self.std,
        )

    def planes(self):
        return self.pixels("CHW")


def normalise(sample, fields, mean, deviation, full):
    """`mean` and `deviation` per channel, as fractions of `full`."""
    mean, std = [full * m for m in mean], [full * d for d in deviation]
    waiting = {n: Normalised(pixels(sample[n]), mean, std) for n in fields}
    return {**sample, **waiting}
