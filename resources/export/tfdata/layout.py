# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def to_channels_first(sample, fields):
    turned = {name: tf.transpose(sample[name], [2, 0, 1]) for name in fields}
    return {**sample, **turned}
