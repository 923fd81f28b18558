# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import functools

import tensorflow as tf


def make_dataset(first_epoch=0, epochs=1):
    """Batches of this many epochs as dicts of tensors; none crosses an epoch.

    Training can continue at any epoch with the same batches.
    """
    source = make_source()
    ds = tf.data.Dataset.range(first_epoch, first_epoch + epochs)
    ds = ds.flat_map(functools.partial(one_epoch, source, Samples(source)))
    ds = ds.prefetch(PREFETCH)
    options = tf.data.Options()
    if WORKERS != tf.data.AUTOTUNE:
        options.threading.private_threadpool_size = WORKERS
    options.threading.max_intra_op_parallelism = 1
    return ds.with_options(options)
