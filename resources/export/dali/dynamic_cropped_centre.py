# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import nvidia.dali.experimental.dynamic as ndd
from nvidia.dali import types


def decoded_crop(sample, kinds, height, width):
    """Decode the centre of each file; its size is in pixels of the first."""
    shapes = [ndd.peek_image_shape(sample[name], dtype=ndd.int32) for name in kinds]
    size = [height, width]
    start = (shapes[0].slice[:2] - size) // 2
    for (name, kind), shape in zip(kinds.items(), shapes):
        k = shape.slice[0] // shapes[0].slice[0]
        part = {"start": k * start, "shape": k * size, "axes": [0, 1]}
        sample[name] = ndd.decoders.image_slice(
            sample[name], **part, device=DEVICE, output_type=kind
        )
