# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def uniform(seed, shape):
    """In [0, 1)."""
    return tf.random.stateless_uniform(shape, seed)


def integer(unit, highest):
    """0 to `highest`, both included, from a number in [0, 1)."""
    return tf.cast(unit * tf.cast(highest + 1, tf.float32), tf.int32)


def coin(unit, probability):
    return unit < probability


def beta(seed, alpha):
    pair = tf.random.stateless_gamma([2], seed, alpha)
    return pair[0] / tf.reduce_sum(pair)
