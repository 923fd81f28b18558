# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import tensorflow as tf


def random_window(shape, seed, scale, ratio):
    """Return top, left, height and width of a part, drawn as by torchvision.

    It is the first of ten draws that fits, or else the centre.
    """
    draws = tf.random.stateless_uniform([4, 10], seed)
    size = tf.cast(shape[:2], tf.float32)
    area = size[0] * size[1] * (scale[0] + draws[0] * (scale[1] - scale[0]))
    low, high = math.log(ratio[0]), math.log(ratio[1])
    aspect = tf.exp(low + draws[1] * (high - low))
    parts = tf.round(tf.sqrt([area / aspect, area * aspect]))
    fits = tf.reduce_all((parts > 0) & (parts <= size[:, tf.newaxis]), axis=0)
    first = tf.argmax(fits)
    most = tf.round([size[1] / ratio[0], size[0] * ratio[1]])
    part = tf.where(fits[first], parts[:, first], tf.minimum(size, most))
    place = tf.where(fits[first], draws[2:, first], 0.5)
    start = tf.floor(place * (size - part + 1))
    return tf.cast(tf.concat([start, part], axis=0), tf.int32)
