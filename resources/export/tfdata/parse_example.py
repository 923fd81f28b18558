# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: raw_to_array
import dataclasses

import tensorflow as tf


def parse_example(sample, field, fields):
    """Replaces a record by the fields of its tf.train.Example.

    i64 and f32 are lists of numbers; any other type is the bytes of one value.
    """
    kinds = {"int64": tf.int64, "float32": tf.float32}
    wanted = {}
    for part in fields.values():
        kind = kinds.get(part.dtype)
        if kind is None:
            wanted[part.key] = tf.io.FixedLenFeature([], tf.string)
        else:
            wanted[part.key] = tf.io.VarLenFeature(kind)
    found = tf.io.parse_single_example(sample[field], wanted)
    sample = {name: value for name, value in sample.items() if name != field}
    for name, part in fields.items():
        value = found[part.key]
        if part.dtype in kinds:
            sample[name] = shaped(value.values, part)
        elif part.dtype:
            raw = raw_to_array({name: value}, dataclasses.replace(part, key=name))
            sample.update(raw)
        else:
            sample[name] = value
    return sample
