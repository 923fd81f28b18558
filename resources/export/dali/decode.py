# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import dataclasses

from nvidia.dali import fn, types


@dataclasses.dataclass
class Encoded:
    """A picture decoded later, so that a crop decodes only its part."""

    data: object
    channels: int

    def size(self):
        """Height and width."""
        shape = fn.peek_image_shape(
            self.data, dtype=types.INT32, adjust_orientation=UPRIGHT
        )
        return fn.slice(shape, 0, 2, axes=[0])

    def pixels(self, **part):
        """u8, height x width x channels; `part`: start and shape of a crop."""
        decoder = fn.decoders.image_slice if part else fn.decoders.image
        return decoder(
            self.data,
            **part,
            device="mixed" if DEVICE == "gpu" else "cpu",
            output_type=types.RGB if self.channels == 3 else types.GRAY,
            adjust_orientation=UPRIGHT,
            jpeg_fancy_upsampling=True,
        )


def decode(sample, channels):
    """`channels`: the fields to decode and how many channels they get."""
    waiting = {name: Encoded(sample[name], n) for name, n in channels.items()}
    return {**sample, **waiting}


def pixels(picture):
    """Decode values that were left undecoded (those with a method `pixels`)."""
    return picture.pixels() if hasattr(picture, "pixels") else picture
