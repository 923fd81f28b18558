# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def random_change(sample, fields, seed, probability, change):
    draws = uniform(seed, [2])
    turn = coin(draws[0], probability)
    results = {}
    for name in fields:
        picture = sample[name]
        results[name] = tf.where(turn, change(picture, draws[1]), picture)
    return {**sample, **results}
