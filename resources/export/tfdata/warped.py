# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import tensorflow as tf


def warped(picture, draws, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom a picture; the draws are in [0, 1)."""
    turn, right, down, lean, size = tf.unstack(2 * draws - 1)
    scale = (zoom[0] + zoom[1] + size * (zoom[1] - zoom[0])) / 2
    angle, slope = turn * math.radians(rotation), tf.tan(lean * math.radians(shear))
    sine, cosine = tf.sin(angle) / scale, tf.cos(angle) / scale
    a, b = cosine - sine * slope, sine + cosine * slope
    height, width = tf.unstack(tf.cast(tf.shape(picture)[:2], tf.float32))
    # The origin is the centre of the first pixel; the middle moves to x, y.
    x0, y0 = (width - 1) / 2, (height - 1) / 2
    x, y = x0 + right * shift[0] * width, y0 + down * shift[1] * height
    start = x0 - a * x - b * y, y0 + sine * x - cosine * y
    result = tf.raw_ops.ImageProjectiveTransformV3(
        images=tf.cast(picture, tf.float32)[tf.newaxis],
        transforms=[[a, b, start[0], -sine, cosine, start[1], 0.0, 0.0]],
        output_shape=tf.shape(picture)[:2],
        fill_value=0.0,
        interpolation="BILINEAR",
        fill_mode="NEAREST",
    )[0]
    return tf.cast(tf.round(result), picture.dtype)
