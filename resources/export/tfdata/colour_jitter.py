# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: grey
import tensorflow as tf


def blended(picture, other, ratio):
    """Clamped and truncated to whole numbers, as in torchvision."""
    mixed = ratio * picture + (1.0 - ratio) * other
    return tf.floor(tf.clip_by_value(mixed, 0.0, 255.0))


def turned_hue(picture, turns):
    if picture.shape[2] == 1:
        return picture
    hsv = tf.image.rgb_to_hsv(picture / 255.0)
    hue, rest = hsv[..., :1], hsv[..., 1:]
    rgb = tf.image.hsv_to_rgb(tf.concat([(hue + turns) % 1.0, rest], -1))
    return tf.floor(rgb * 255.999)


def colour_jitter(sample, fields, seed, brightness, contrast, saturation, hue):
    """Draws four factors, applied in random order, the same for all fields."""
    draws = uniform(seed, [8])

    def factor(draw, strength):
        low = max(0.0, 1.0 - strength)
        return low + draw * (1.0 + strength - low)

    bright, contrasted = factor(draws[0], brightness), factor(draws[1], contrast)
    saturated, turns = factor(draws[2], saturation), (2 * draws[3] - 1) * hue
    steps = [
        lambda p: blended(p, 0.0, bright),
        lambda p: blended(p, tf.reduce_mean(grey_of(p)), contrasted),
        lambda p: blended(p, grey_of(p), saturated),
        lambda p: turned_hue(p, turns),
    ]
    order = tf.argsort(draws[4:])
    results = {}
    for name in fields:
        picture = tf.cast(sample[name], tf.float32)
        for i in range(4):
            picture = tf.switch_case(
                order[i], [lambda step=step: step(picture) for step in steps]
            )
            picture = tf.ensure_shape(picture, sample[name].shape)
        results[name] = tf.cast(picture, sample[name].dtype)
    return {**sample, **results}
