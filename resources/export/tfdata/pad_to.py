# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def pad_to(sample, fields, height, width):
    """Adds zeros at the bottom and the right, so that all have one size."""
    padded = {}
    for name in fields:
        padded[name] = tf.image.pad_to_bounding_box(sample[name], 0, 0, height, width)
    return {**sample, **padded}
