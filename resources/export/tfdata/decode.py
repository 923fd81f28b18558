# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def decode_picture(data, channels):
    """Decodes JPEG, PNG, GIF or BMP to u8, height x width x channels.

    With the accurate inverse transform, because TensorFlow's default is the
    fast one, whose pixels are a few levels off.
    """
    picture = tf.cond(
        tf.io.is_jpeg(data),
        lambda: tf.io.decode_jpeg(
            data, channels=channels, dct_method="INTEGER_ACCURATE"
        ),
        lambda: tf.io.decode_image(
            data, channels=channels, expand_animations=False
        ),
    )
    return tf.ensure_shape(picture, [None, None, channels])


def decode(sample, channels):
    """`channels`: the fields to decode and how many channels they get."""
    pictures = {name: decode_picture(sample[name], n) for name, n in channels.items()}
    return {**sample, **pictures}
