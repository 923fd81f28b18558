# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def one_hot_label(sample, name, classes, dtype, allowed=None):
    """`allowed`: a number without a class that gives zeros; None: any."""
    label = sample[name]
    if allowed is not None:
        tf.debugging.Assert(
            (label >= 0) & (label < classes) | (label == allowed),
            [f"{name} is not below {classes}:", label],
        )
    return {**sample, name: tf.one_hot(label, classes, dtype=dtype)}


def one_hot_mask(sample, name, classes, dtype, axis, allowed=None):
    indices = tf.cast(tf.squeeze(sample[name], -1), tf.int32)
    if allowed is not None:
        known = (indices < classes) | (indices == allowed)
        tf.debugging.Assert(
            tf.reduce_all(known), [f"{name} has pixels not below {classes}"]
        )
    return {**sample, name: tf.one_hot(indices, classes, axis=axis, dtype=dtype)}
