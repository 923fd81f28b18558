# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def random_crop_alike(sample, names, seed, height, width):
    """Cut the centre out of each picture; its size is in pixels of the first."""
    shape = tf.shape(sample[names[0]])
    top, left = tf.unstack((shape[:2] - [height, width]) // 2)
    for name in names:
        k = tf.shape(sample[name])[0] // shape[0]
        part = sample[name][k * top : k * (top + height), k * left : k * (left + width)]
        sample[name] = tf.reshape(part, [k * height, k * width, part.shape[2]])
    return sample
