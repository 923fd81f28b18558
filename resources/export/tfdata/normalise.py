# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def normalise(sample, fields, mean, deviation, full):
    """`full` becomes 1 first; `mean` and `deviation` are per channel."""
    results = {}
    for name in fields:
        picture = tf.cast(sample[name], tf.float32) / full
        results[name] = (picture - mean) / deviation
    return {**sample, **results}
