# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def real(value):
    """The numbers of a field as f64; a single one fits any shape."""
    if value.shape.num_elements() == 1:
        value = tf.reshape(value, [])
    return tf.cast(value, tf.float64)


def computed(sample, name, value, dtype, shape=None):
    """Add a result to the sample; `shape`: that of a single number."""
    value = tf.cast(value, dtype)
    return {**sample, name: value if shape is None else tf.reshape(value, shape)}
