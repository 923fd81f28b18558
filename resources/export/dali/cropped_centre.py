# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from nvidia.dali import fn, types


def decoded_crop(sample, kinds, height, width):
    """Decode the centre of each file; its size is in pixels of the first."""
    shapes = [fn.peek_image_shape(sample[name], dtype=types.INT32) for name in kinds]
    size = types.Constant([height, width])
    room = shapes[0][:2] - size
    start = room // 2
    for (name, kind), shape in zip(kinds.items(), shapes):
        k = shape[0] // shapes[0][0]
        part = {"start": k * start, "shape": k * size, "axes": [0, 1]}
        sample[name] = fn.decoders.image_slice(
            sample[name], **part, device=DECODER, output_type=kind
        )
