# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: balanced
import numpy as np
import tensorflow as tf


def balanced_dataset(ds, source, to, epoch):
    """Every class equally often; computed by NumPy once per epoch."""

    def keys(order, epoch):
        rng = None if epoch < 0 else np.random.default_rng((SEED, epoch))
        return balanced(order, source, to, rng)

    order = ds.batch(ds.cardinality()).get_single_element()
    number = -1 if epoch is None else epoch
    order = tf.numpy_function(keys, [order, number], tf.int64)
    return tf.data.Dataset.from_tensor_slices(tf.ensure_shape(order, [None]))
