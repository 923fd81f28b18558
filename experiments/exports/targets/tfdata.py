# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to tfdata` writes."""

import itertools
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

# In levels of 255. Millrace resizes as Pillow does, horizontally and then
# vertically, and rounds after each pass; TensorFlow rounds once, at the end. The
# first rounding moves a value by half a level, vertical weights sum to 1, and both
# round at the end: 0.5 + 0.5 + 0.5, so at most 1 whole level. In the mean a
# quarter: the two roundings differ where the sum is near a half.
TOLERANCE = {"most": 1.01, "mean": 0.25}

# Cubic weights: up to 1/8 of them is below 0, so a pass may overshoot by 255/8.
# Millrace clamps to 0..255 after each pass, like Pillow; TensorFlow after both, and
# its second pass may multiply values that were not clamped by 9/8.
EXTRA = {"resize bicubic": 36.0}

_SYNTHETIC = "all generated samples hold the same numbers, as the head states"
KNOWN = {
    "features": _SYNTHETIC,
    "float features": _SYNTHETIC,
    "made-up pictures": _SYNTHETIC,
}


TRAINING = ["--with-training"]


def trainings(file):
    """Two epochs, and a third from the checkpoint."""
    return [[sys.executable, file, "--epochs", count] for count in (2, 3)]


def before_hand():
    """Set what the loader by hand sets: TensorFlow allows it only before its first use."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)


def batches(module):
    import tensorflow as tf

    if not hasattr(module, "make_source"):  # the short form
        for batch in module.make_dataset():
            yield None, {name: value.numpy() for name, value in batch.items()}
        return
    source = module.make_source()
    order = module.epoch_order(source, tf.constant(0, tf.int64))
    streams = isinstance(order.element_spec, tuple)  # of keys and records
    keys = (key[0] if streams else key for key in order.as_numpy_iterator())
    for batch in module.make_dataset():
        fields = {name: value.numpy() for name, value in batch.items()}
        rows = len(next(iter(fields.values())))
        numbers = [key % len(source) for key in itertools.islice(keys, rows)]
        yield [os.fsdecode(source.names[i]) for i in numbers], fields


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    dataset = module.make_dataset()
    while True:
        for batch in dataset:
            yield len(next(iter(batch.values())))
