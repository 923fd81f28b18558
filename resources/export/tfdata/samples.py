# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: source
import tensorflow as tf


class Samples:
    """The paths and classes of a source as tensors, for use in graphs."""

    def __init__(self, source):
        self.count = len(source)
        self.files = {name: tf.constant(p) for name, p in source.files.items()}
        self.values = {name: tf.constant(v) for name, v in source.values.items()}
        self.labels = None
        if source.labels is not None:
            self.labels = tf.constant(source.labels, tf.int64)

    def read(self, key):
        """`key` is the sample's number; the keys of repeated copies are larger."""
        index = key % self.count
        sample = {name: tf.io.read_file(p[index]) for name, p in self.files.items()}
        sample.update(self.values)
        if self.labels is not None:
            sample["label"] = self.labels[index]
        return sample
