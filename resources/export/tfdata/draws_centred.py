# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def uniform(seed, shape):
    return tf.fill(shape, 0.5)


def integer(unit, highest):
    return tf.cast(highest, tf.int32) // 2


def coin(unit, probability):
    return tf.constant(probability >= 1.0)


def beta(seed, alpha):
    return tf.constant(0.5)
