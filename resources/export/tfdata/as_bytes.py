# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def as_bytes(value):
    """The bytes of a field as a vector of u8."""
    if value.dtype == tf.string:
        return tf.io.decode_raw(value, tf.uint8)
    return tf.reshape(value, [-1])
