# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def to_dtype(sample, fields, dtype, full):
    """Scales values so that `full` becomes 1."""
    results = {}
    for name in fields:
        results[name] = tf.cast(tf.cast(sample[name], tf.float32) / full, dtype)
    return {**sample, **results}
