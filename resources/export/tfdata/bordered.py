# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def bordered(picture, left, top, right, bottom, border, fill):
    """Adds pixels at the sides; `fill` is for the border "constant"."""
    if border == "constant":
        sides = [[top, bottom], [left, right], [0, 0]]
        fill = tf.cast(fill, picture.dtype)
        return tf.pad(picture - fill, sides) + fill

    def inside(before, after, size):
        i = tf.range(-before, size + after)
        if border == "edge":
            return tf.clip_by_value(i, 0, size - 1)
        if border == "wrap":
            return i % size
        if border == "symmetric":
            i = i % (2 * size)
            return tf.minimum(i, 2 * size - 1 - i)
        period = tf.maximum(2 * size - 2, 1)  # reflect
        return tf.minimum(i % period, period - i % period)

    rows, columns = tf.shape(picture)[0], tf.shape(picture)[1]
    picture = tf.gather(picture, inside(top, bottom, rows), axis=0)
    return tf.gather(picture, inside(left, right, columns), axis=1)
