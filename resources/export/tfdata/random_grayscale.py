# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: grey
import tensorflow as tf


def random_grayscale(sample, fields, seed, probability):
    turn = coin(uniform(seed, [1])[0], probability)
    results = {}
    for name in fields:
        picture = sample[name]
        grey = tf.cast(grey_of(picture), picture.dtype)
        results[name] = tf.where(turn, grey, picture)
    return {**sample, **results}
