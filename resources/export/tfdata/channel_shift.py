# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def channel_shift(sample, fields, seed, reach, per_channel):
    """Adds a whole number to each channel; `reach` is in levels of 255."""
    draws = uniform(seed, [3 if per_channel else 1])
    offsets = tf.cast(tf.round((2 * draws - 1) * reach), tf.int32)
    shifted = {}
    for name in fields:
        count = sample[name].shape[2]
        offset = offsets[:count] if per_channel else offsets
        result = tf.cast(sample[name], tf.int32) + offset
        shifted[name] = tf.saturate_cast(result, sample[name].dtype)
    return {**sample, **shifted}
