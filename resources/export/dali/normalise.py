# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
import dataclasses

from nvidia.dali import fn, types


@dataclasses.dataclass
class Normalised:
    """A picture that waits for its layout, so that one operation does both."""

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
    """`mean` and `deviation` are by channel, in shares of `full`."""
    mean, std = [full * m for m in mean], [full * d for d in deviation]
    waiting = {n: Normalised(pixels(sample[n]), mean, std) for n in fields}
    return {**sample, **waiting}
