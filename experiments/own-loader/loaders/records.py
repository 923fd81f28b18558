# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A tf.data pipeline over TFRecord files."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402


def parse(record):
    features = tf.io.parse_single_example(record, {"image/encoded": tf.io.FixedLenFeature([], tf.string),
                                                   "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.image.resize(tf.io.decode_jpeg(features["image/encoded"], channels=3), [160, 160])
    return image / 255, features["image/class/label"]


loader = tf.data.TFRecordDataset("photos.tfrecord").map(parse, num_parallel_calls=2).batch(8).prefetch(2)
