# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records
import tensorflow as tf


def shaped(value, field):
    """Sets the field's static shape, which graphs need; channels last."""
    if not field.dtype:
        return tf.ensure_shape(value, [])
    value = tf.reshape(value, [-1 if n is None else n for n in field.shape])
    return tf.transpose(value, [1, 2, 0]) if field.layout == "chw" else value
