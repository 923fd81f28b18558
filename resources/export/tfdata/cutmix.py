# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: mixup
import functools

import tensorflow as tf


def cutmix(batch, pictures, labels, seed, alpha, probability):
    """Pastes a box of the previous row into each row; mixes labels by area.

    `pictures`: each field's height axis, 1 or 2.
    """
    draws = uniform(seed, [3])
    turn = coin(draws[0], probability)
    half = tf.sqrt(1.0 - beta(seed, alpha)) / 2.0
    sizes = {n: tf.shape(batch[n])[a : a + 2] for n, a in pictures.items()}
    rows, columns = tf.unstack(functools.reduce(tf.minimum, sizes.values()))

    def span(draw, size):
        middle = integer(draw, size - 1)
        reach = tf.cast(half * tf.cast(size, tf.float32), tf.int32)
        return tf.maximum(middle - reach, 0), tf.minimum(middle + reach, size)

    left, right = span(draws[1], columns)
    top, bottom = span(draws[2], rows)
    results = {}
    for name, axis in pictures.items():
        k = sizes[name][0] // rows
        y = tf.range(rows * k)[:, None] // k
        x = tf.range(columns * k)[None] // k
        inside = (y >= top) & (y < bottom) & (x >= left) & (x < right) & turn
        inside = inside[..., None] if axis == 1 else inside[None]
        results[name] = tf.where(inside, tf.roll(batch[name], 1, 0), batch[name])
    area = tf.cast((bottom - top) * (right - left), tf.float32)
    kept = 1.0 - area / tf.cast(rows * columns, tf.float32)
    share = tf.where(turn, kept, 1.0)
    for name in labels:
        results[name] = mixed(batch[name], share)
    return {**batch, **results}
