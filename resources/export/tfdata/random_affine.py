# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import tensorflow as tf


def random_affine(
    sample, fields, seed, rotation, shift, shear, zoom, method, border, fill, mask_fill
):
    """Rotates, shifts, shears and zooms pictures of any size by one draw.

    TensorFlow has no public function for it: this is the operation inside the
    Keras layers RandomRotation, RandomZoom and RandomTranslation.
    """
    draws = uniform(seed, [5])
    angle = (2 * draws[0] - 1) * math.radians(rotation)
    shift_x = (2 * draws[1] - 1) * shift[0]
    shift_y = (2 * draws[2] - 1) * shift[1]
    slope = tf.tan((2 * draws[3] - 1) * math.radians(shear))
    scale = zoom[0] + draws[4] * (zoom[1] - zoom[0])
    xx = (tf.cos(angle) - tf.sin(angle) * slope) / scale
    xy = (tf.sin(angle) + tf.cos(angle) * slope) / scale
    yx = -tf.sin(angle) / scale
    yy = tf.cos(angle) / scale
    moved = {}
    for name in fields:
        picture = sample[name]
        size = tf.shape(picture)[:2]
        height, width = tf.unstack(tf.cast(size, tf.float32))
        # The operation's origin is the centre of the first pixel.
        centre_x, centre_y = (width - 1) / 2, (height - 1) / 2
        x, y = centre_x + shift_x * width, centre_y + shift_y * height
        x0, y0 = centre_x - xx * x - xy * y, centre_y - yx * x - yy * y
        colour = mask_fill if name == "mask" else fill
        result = tf.raw_ops.ImageProjectiveTransformV3(
            images=(tf.cast(picture, tf.float32) - colour)[tf.newaxis],
            transforms=[[xx, xy, x0, yx, yy, y0, 0.0, 0.0]],
            output_shape=size,
            fill_value=0.0,
            interpolation="NEAREST" if name == "mask" else method.upper(),
            fill_mode=border,
        )[0]
        result = tf.saturate_cast(tf.round(result + colour), picture.dtype)
        moved[name] = tf.ensure_shape(result, picture.shape)
    return {**sample, **moved}
