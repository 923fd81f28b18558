# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def decoded_window(file, shape, window, channels):
    """Decode a window of a JPEG file; a column more at each side keeps its colours."""
    top, left, height, width = tf.unstack(window)
    first, end = tf.maximum(left - 1, 0), tf.minimum(left + width + 1, shape[1])
    picture = tf.image.decode_and_crop_jpeg(
        file, [top, first, height, end - first], channels, dct_method="INTEGER_ACCURATE"
    )
    return picture[:, left - first : left - first + width]
