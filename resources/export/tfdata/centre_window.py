# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import tensorflow as tf


def random_window(shape, seed, scale, ratio):
    """Return top, left, height and width of the part in the middle of each range."""
    size = tf.cast(shape[:2], tf.float32)
    area = size[0] * size[1] * (scale[0] + scale[1]) / 2
    aspect = math.sqrt(ratio[0] * ratio[1])
    part = tf.round(tf.sqrt([area / aspect, area * aspect]))
    most = tf.round([size[1] / ratio[0], size[0] * ratio[1]])
    part = tf.where(tf.reduce_all(part <= size), part, tf.minimum(size, most))
    start = (size - part) // 2
    return tf.cast(tf.concat([start, part], axis=0), tf.int32)
