# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def resized(picture, size, method, antialias):
    """tf.image.resize, rounded as in Pillow to the type of the picture."""
    result = tf.image.resize(picture, size, method=method, antialias=antialias)
    if picture.dtype.is_floating:
        return tf.cast(result, picture.dtype)
    return tf.saturate_cast(tf.round(result), picture.dtype)


def resize_fields(sample, scales, height, width, method, antialias):
    """Resizes to a size on the coarsest grid; masks by the nearest pixel."""
    results = {}
    for name, k in scales.items():
        how = ("nearest", False) if name == "mask" else (method, antialias)
        results[name] = resized(sample[name], [height * k, width * k], *how)
    return {**sample, **results}
