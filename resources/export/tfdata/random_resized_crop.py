# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
import math

import tensorflow as tf


def random_resized_crop(
    sample, fields, seed, height, width, scale, ratio, method, antialias
):
    """As in torchvision: the first of ten tries that fits, or the centre."""
    rows, columns, scales = coarsest_grid(sample, fields)
    draws = uniform(seed, [4, 10])
    area = tf.cast(rows * columns, tf.float32)
    area *= scale[0] + draws[0] * (scale[1] - scale[0])
    low, high = math.log(ratio[0]), math.log(ratio[1])
    shape = tf.exp(low + draws[1] * (high - low))
    widths = tf.cast(tf.round(tf.sqrt(area * shape)), tf.int32)
    heights = tf.cast(tf.round(tf.sqrt(area / shape)), tf.int32)
    fit = (widths > 0) & (widths <= columns) & (heights > 0) & (heights <= rows)

    def drawn():
        first = tf.where(fit)[0, 0]
        h, w = heights[first], widths[first]
        top = integer(draws[2][first], rows - h)
        return top, integer(draws[3][first], columns - w), h, w

    def centre():
        most = tf.cast(tf.round(tf.cast(columns, tf.float32) / ratio[0]), tf.int32)
        h = tf.minimum(rows, tf.maximum(most, 1))
        most = tf.cast(tf.round(tf.cast(rows, tf.float32) * ratio[1]), tf.int32)
        w = tf.minimum(columns, tf.maximum(most, 1))
        return (rows - h) // 2, (columns - w) // 2, h, w

    sample = cut(sample, scales, *tf.cond(tf.reduce_any(fit), drawn, centre))
    height, width = on_grid(scales, height), on_grid(scales, width)
    return resize_fields(sample, scales, height, width, method, antialias)
