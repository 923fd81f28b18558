# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def numbered_records(source):
    """Number and bytes of each record, by TensorFlow's reader."""
    return tf.data.TFRecordDataset(source.paths).enumerate()


class Samples:
    """Samples of a stream of records: a sample is the record."""

    def __init__(self, source):
        (self.field,) = source.fields

    def read(self, key, record):
        return {self.field: record}
