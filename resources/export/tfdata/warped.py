# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import tensorflow as tf


def warped(picture, draws, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom a picture; the draws are in [0, 1)."""
    angle = (2 * draws[0] - 1) * math.radians(rotation)
    slope = tf.tan((2 * draws[3] - 1) * math.radians(shear))
    scale = zoom[0] + draws[4] * (zoom[1] - zoom[0])
    sine, cosine = tf.sin(angle), tf.cos(angle)
    back = tf.stack([[cosine - sine * slope, sine + cosine * slope], [-sine, cosine]])
    back /= scale
    size = tf.cast(tf.shape(picture)[1::-1], tf.float32)
    centre = (size - 1) / 2  # the origin is the centre of the first pixel
    moved = centre + (2 * draws[1:3] - 1) * shift * size
    start = centre - tf.linalg.matvec(back, moved)
    matrix = tf.concat([back, start[:, tf.newaxis]], axis=1)
    result = tf.raw_ops.ImageProjectiveTransformV3(
        images=tf.cast(picture, tf.float32)[tf.newaxis],
        transforms=[tf.concat([tf.reshape(matrix, [6]), [0.0, 0.0]], axis=0)],
        output_shape=tf.shape(picture)[:2],
        fill_value=0.0,
        interpolation="BILINEAR",
        fill_mode="NEAREST",
    )[0]
    return tf.saturate_cast(tf.round(result), tf.uint8)
