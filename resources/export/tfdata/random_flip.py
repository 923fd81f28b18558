# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def random_flip(sample, fields, seed, horizontal, vertical):
    draws = uniform(seed, [2])
    mirrored = {name: sample[name] for name in fields}
    for axis, turn in ((1, coin(draws[0], horizontal)), (0, coin(draws[1], vertical))):
        mirrored = tf.cond(
            turn,
            lambda: {name: tf.reverse(p, [axis]) for name, p in mirrored.items()},
            lambda: mirrored,
        )
    return {**sample, **mirrored}
