# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Batches as a tf.data.Dataset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from ._loader import Loader

_TYPES = {
    "u8": tf.uint8,
    "i8": tf.int8,
    "u16": tf.uint16,
    "i16": tf.int16,
    "i32": tf.int32,
    "i64": tf.int64,
    "f16": tf.float16,
    "bf16": tf.uint16,  # the bits; tf.bitcast(value, tf.bfloat16) reads them
    "f32": tf.float32,
    "f64": tf.float64,
}


def dataset(loader: Loader) -> tf.data.Dataset:
    """Return a dataset of dicts of tensors; each iteration over it is one epoch of the loader.

    A field is a tensor of shape (rows, ...), with fewer rows at an epoch's end, and of the field's
    element type; bf16 is delivered as uint16, the bits. TensorFlow copies each batch. Only one
    iteration at a time: a newer one ends an older one.

    Raises:
        ValueError: a field's rows differ in size, which a dense tensor cannot hold; or batches lie on
            a GPU, from which tf.data accepts none.
        tf.errors.UnknownError: while iterating, with the text of the millrace.Error that caused it.
    """
    if loader.device.startswith("cuda"):
        raise ValueError(
            f"tf.data needs batches in host memory, but these are on {loader.device}: open the Loader"
            " without a device, or pass its arrays to tf.experimental.dlpack.from_dlpack"
        )
    signature = {}
    for field in loader.fields:
        if field["dtype"] not in _TYPES or None in field["shape"]:
            raise ValueError(
                f"{field['name']}: rows of different sizes cannot form a tensor; resize pictures,"
                " pad objects with pad_objects, or iterate over the Loader itself"
            )
        shape = (None, *field["shape"][1:])
        signature[field["name"]] = tf.TensorSpec(shape, _TYPES[field["dtype"]])

    def epoch() -> Iterator[dict[str, Any]]:
        for batch in loader:
            yield dict(batch)

    return tf.data.Dataset.from_generator(epoch, output_signature=signature)
