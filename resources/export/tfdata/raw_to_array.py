# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: as_bytes shaped
import tensorflow as tf


def raw_to_array(sample, field, big=False):
    """Reads bytes as an array of numbers; `big`: highest byte first."""
    data = as_bytes(sample[field.key])
    dtype = tf.as_dtype(field.dtype)
    if dtype.size > 1:
        data = tf.reshape(data, [-1, dtype.size])
        data = tf.bitcast(tf.reverse(data, [1]) if big else data, dtype)
    elif dtype != data.dtype:
        data = tf.bitcast(data, dtype)
    return {**sample, field.key: shaped(data, field)}
