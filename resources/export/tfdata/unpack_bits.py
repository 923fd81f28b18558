# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: as_bytes shaped
import math

import tensorflow as tf


def unpack_bits(sample, field, parts):
    """Replaces packed bits by fields of 0 and 1.

    A part's key is the number of its first bit, counted from the highest one.
    """
    places = tf.constant([7, 6, 5, 4, 3, 2, 1, 0], tf.uint8)
    bits = tf.bitwise.right_shift(as_bytes(sample[field])[:, tf.newaxis], places)
    bits = tf.reshape(tf.bitwise.bitwise_and(bits, tf.constant(1, tf.uint8)), [-1])
    sample = {name: value for name, value in sample.items() if name != field}
    for name, part in parts.items():
        run = bits[part.key : part.key + math.prod(part.shape)]
        sample[name] = shaped(tf.cast(run, part.dtype), part)
    return sample
