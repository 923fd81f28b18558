# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def kept_shape(rows, columns, height, width, choose):
    """The size with the picture's aspect ratio, within (or around) another."""
    rows, columns = tf.cast(rows, tf.float64), tf.cast(columns, tf.float64)
    height, width = tf.cast(height, tf.int32), tf.cast(width, tf.int32)
    down = tf.cast(height, tf.float64) / rows
    scale = choose(down, tf.cast(width, tf.float64) / columns)
    sides = tf.floor(tf.stack([rows, columns]) * scale + 0.5)
    sides = tf.cast(tf.maximum(sides, 1), tf.int32)
    return tf.unstack(choose(sides, tf.stack([height, width])))
