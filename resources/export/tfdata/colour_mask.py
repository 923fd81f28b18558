# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def colours_to_indices(sample, name, colours, other, strict):
    """Turns colours into class numbers; `other`: if a colour has no class."""
    powers = tf.constant([65536, 256, 1])
    codes = tf.reduce_sum(tf.cast(sample[name], tf.int32) * powers, -1, keepdims=True)
    known = tf.equal(codes, tf.linalg.matvec([*colours], powers))
    found = tf.reduce_any(known, -1, keepdims=True)
    if strict:
        tf.debugging.Assert(
            tf.reduce_all(found), [f"{name} has pixels whose colour has no class"]
        )
    indices = tf.argmax(tf.cast(known, tf.uint8), -1, tf.int32)[..., None]
    return {**sample, name: tf.cast(tf.where(found, indices, other), tf.uint8)}
