# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: grey
import tensorflow as tf


def random_grayscale(sample, fields, seed, probability):
    turn = coin(uniform(seed, [1])[0], probability)
    results = {}
    for name in fields:
        picture = sample[name]
        results[name] = tf.cond(
            turn,
            lambda: tf.cast(grey_of(picture) + tf.zeros_like(picture, tf.float32), picture.dtype),
            lambda: picture,
        )
    return {**sample, **results}
