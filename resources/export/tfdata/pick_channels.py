# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def pick_channels(sample, field, channels, axis, signs=None):
    """Selects channels of a field, in this order; `signs`: -1 negates one."""
    value = tf.gather(sample[field], channels, axis=axis)
    if signs is not None:
        shape = [1] * value.shape.rank
        shape[axis] = len(signs)
        value *= tf.reshape(tf.constant(signs, value.dtype), shape)
    return {**sample, field: value}
