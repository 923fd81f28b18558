# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: bordered
import tensorflow as tf


def blurred(picture, kernel, sigma):
    places = tf.range(kernel, dtype=tf.float32) - (kernel - 1) / 2
    weights = tf.exp(-0.5 * (places / sigma) ** 2)
    weights /= tf.reduce_sum(weights)
    half, count = kernel // 2, picture.shape[2]
    sums = tf.cast(bordered(picture, half, half, half, half, "reflect", 0), tf.float32)
    for shape in ((1, kernel, 1, 1), (kernel, 1, 1, 1)):
        taps = tf.tile(tf.reshape(weights, shape), [1, 1, count, 1])
        sums = tf.nn.depthwise_conv2d(sums[tf.newaxis], taps, [1, 1, 1, 1], "VALID")[0]
    return tf.saturate_cast(tf.round(sums), picture.dtype)


def random_blur(sample, fields, seed, kernel, sigma, probability):
    draws = uniform(seed, [2])
    width = sigma[0] + draws[1] * (sigma[1] - sigma[0])
    turn = coin(draws[0], probability)
    results = {}
    for name in fields:
        picture = sample[name]
        result = tf.cond(turn, lambda: blurred(picture, kernel, width), lambda: picture)
        results[name] = tf.ensure_shape(result, picture.shape)
    return {**sample, **results}
