# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def real(value):
    """Return the numbers as float64, in which the pipeline computes."""
    return tf.cast(value, tf.float64)
