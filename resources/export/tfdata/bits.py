# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def unpacked_bits(packed):
    """Return the bits of bytes along the last axis, the highest first."""
    shifts = tf.constant([7, 6, 5, 4, 3, 2, 1, 0], tf.uint8)
    bits = tf.bitwise.right_shift(packed[..., tf.newaxis], shifts)
    shape = [*([-1] if packed.shape.rank > 1 else []), 8 * packed.shape[-1]]
    return tf.reshape(tf.bitwise.bitwise_and(bits, 1), shape)
