# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def grey_of(picture):
    """One channel of f32, truncated to whole numbers (ITU-R BT.601)."""
    if picture.shape[2] == 1:
        return tf.cast(picture, tf.float32)
    weighted = tf.cast(picture, tf.float32) * [0.2989, 0.587, 0.114]
    return tf.floor(tf.reduce_sum(weighted, -1, keepdims=True))
