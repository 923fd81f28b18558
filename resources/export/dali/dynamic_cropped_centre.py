# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import nvidia.dali.experimental.dynamic as ndd
from nvidia.dali import types


def decoded_crop(sample, kinds, height, width):
    """Decode the centre of each file; its size is in pixels of the first."""
    shapes = [ndd.peek_image_shape(sample[name]).torch().numpy() for name in kinds]
    start = (shapes[0][:, :2] - [height, width]) // 2
    for (name, kind), shape in zip(kinds.items(), shapes):
        k = shape[:, :1] // shapes[0][:, :1]
        starts, sizes = np.int32(k * start), np.int32(k * [height, width])
        part = {"start": ndd.as_batch(starts), "shape": ndd.as_batch(sizes)}
        sample[name] = ndd.decoders.image_slice(
            sample[name], **part, axes=[0, 1], device=DEVICE, output_type=kind
        )
