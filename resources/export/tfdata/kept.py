# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import tensorflow as tf


def kept(ds, part):
    """The samples that `part` marks."""
    marks = tf.constant(part)
    ds = ds.filter(lambda key: marks[key % len(part)])
    count = ds.reduce(tf.constant(0, tf.int64), lambda n, _: n + 1)
    return ds.apply(tf.data.experimental.assert_cardinality(count))
