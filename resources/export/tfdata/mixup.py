# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def mixed(values, share):
    """Mixes each row with the previous one."""
    result = share * tf.cast(values, tf.float32)
    result += (1.0 - share) * tf.cast(tf.roll(values, 1, 0), tf.float32)
    if values.dtype.is_integer:
        result = tf.round(result)
    return tf.cast(result, values.dtype)


def mixup(batch, pictures, labels, seed, alpha, probability):
    turn = coin(uniform(seed, [1])[0], probability)
    share = tf.where(turn, beta(seed, alpha), 1.0)
    results = {name: mixed(batch[name], share) for name in (*pictures, *labels)}
    return {**batch, **results}
