# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def repeated(ds, count, samples):
    """Copies have different keys, and therefore different draws."""
    most = ds.reduce(tf.constant(0, tf.int64), tf.maximum)
    stride = (most // samples + 1) * samples
    copies = tf.data.Dataset.range(count).flat_map(
        lambda copy: ds.map(lambda key: key + copy * stride)
    )
    total = ds.cardinality() * count
    return copies.apply(tf.data.experimental.assert_cardinality(total))
