# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: own_arrays
import numpy as np
import tensorflow as tf


def call_own(
    sample,
    function,
    fields,
    results,
    channels_last,
    seed,
    declared,
    form="numpy",
    by_name=False,
):
    """Put what your function returns for some fields in their place.

    `declared`: the type and shape of each result.
    """

    def call(seed, *arrays):
        values = {n: np.array(a)[()] for n, a in zip(fields, arrays)}
        returned = own_arrays(
            function,
            values,
            results,
            channels_last,
            lambda: np.random.default_rng(seed),
            form,
            by_name,
        )
        return [returned[n] for n in results]

    seed = tf.zeros([2], tf.int64) if seed is None else seed
    types = [declared[n][0] for n in results]
    made = tf.numpy_function(call, [seed] + [sample[n] for n in fields], types)
    for name, value in zip(results, made):
        value.set_shape(declared[name][1])
    return {**sample, **dict(zip(results, made))}
