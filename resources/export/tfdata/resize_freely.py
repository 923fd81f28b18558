# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
import tensorflow as tf


def resize_freely(sample, fields, height, width, method, antialias, at_least):
    """Keeps the aspect ratio; both sides are at least, or at most, these."""
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    choose = tf.maximum if at_least else tf.minimum
    new_height = tf.maximum(choose(width * rows // columns, height), 1)
    new_width = tf.maximum(choose(height * columns // rows, width), 1)
    return resize_fields(sample, scales, new_height, new_width, method, antialias)
