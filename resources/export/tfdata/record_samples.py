# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: shaped
import tensorflow as tf


class Samples:
    """The samples of a reader as tensors, for use in graphs."""

    def __init__(self, source):
        self.count, self.source = len(source), source
        self.dtypes = [
            tf.as_dtype(field.dtype or "string") for field in source.fields.values()
        ]

    def read(self, key):
        """`key` is the sample's number; the keys of repeated copies are larger."""
        values = tf.numpy_function(self.values, [key % self.count], self.dtypes)
        sample = {}
        for value, (name, field) in zip(values, self.source.fields.items()):
            sample[name] = shaped(value, field)
        return sample

    def values(self, index):
        sample = self.source[int(index)]
        return [sample[name] for name in self.source.fields]
