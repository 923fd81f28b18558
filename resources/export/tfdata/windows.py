# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import functools

import tensorflow as tf


def coarsest_grid(sample, fields):
    """The smallest picture's size, and how many times larger each picture is.

    Pictures of a pair may differ in size: parts are drawn on the coarsest
    grid and so lie on whole pixels of the others.
    """
    sizes = {name: tf.shape(sample[name])[:2] for name in fields}
    if len(fields) == 1:
        size = sizes[fields[0]]
        return size[0], size[1], {fields[0]: 1}
    size = functools.reduce(tf.minimum, sizes.values())
    scales = {name: sizes[name][0] // size[0] for name in fields}
    for name in fields:
        tf.debugging.assert_equal(
            sizes[name], size * scales[name], f"{name} is not a multiple of the others"
        )
    return size[0], size[1], scales


def on_grid(scales, length):
    """A length in pixels of the image field, on the coarsest grid."""
    k = scales.get("image", 1)
    tf.debugging.assert_equal(length % k, 0, "it falls between two pixels")
    return length // k


def cut(sample, scales, top, left, height, width):
    """The same part of each picture, given on the coarsest grid."""
    parts = {}
    for name, k in scales.items():
        parts[name] = tf.image.crop_to_bounding_box(
            sample[name], top * k, left * k, height * k, width * k
        )
    return {**sample, **parts}
