# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math

import tensorflow as tf


def random_erase(sample, fields, seed, scale, ratio, probability, fill):
    """Fills a rectangle with one colour, or with noise if `fill` is None.

    As in torchvision: the first of ten tries that fits, otherwise nothing.
    """
    draws = uniform(seed, [5, 10])
    turn = coin(draws[4][0], probability)
    results = {}
    for name in fields:
        picture = sample[name]
        rows, columns = tf.shape(picture)[0], tf.shape(picture)[1]
        area = tf.cast(rows * columns, tf.float32)
        area *= scale[0] + draws[0] * (scale[1] - scale[0])
        low, high = math.log(ratio[0]), math.log(ratio[1])
        shape = tf.exp(low + draws[1] * (high - low))
        heights = tf.cast(tf.round(tf.sqrt(area * shape)), tf.int32)
        widths = tf.cast(tf.round(tf.sqrt(area / shape)), tf.int32)
        fit = (heights > 0) & (heights < rows) & (widths > 0) & (widths < columns)

        def erased():
            first = tf.where(fit)[0, 0]
            height, width = heights[first], widths[first]
            top = integer(draws[2][first], rows - height)
            left = integer(draws[3][first], columns - width)
            y, x = tf.range(rows)[:, None], tf.range(columns)[None]
            inside = (y >= top) & (y < top + height) & (x >= left) & (x < left + width)
            colour = tf.cast(fill, picture.dtype) if fill is not None else noise()
            return tf.where(inside[..., None], colour, picture)

        def noise():
            levels = uniform(None if seed is None else seed + 1, tf.shape(picture))
            return tf.cast(levels * 256.0, picture.dtype)

        results[name] = tf.ensure_shape(
            tf.cond(turn & tf.reduce_any(fit), erased, lambda: picture), picture.shape
        )
    return {**sample, **results}
