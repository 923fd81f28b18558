# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob

import tensorflow as tf


def list_files():
    """Return the path and the class number of each file DATA/CLASS/FILE."""
    names = sorted(glob("*/*", root_dir=DATA))
    classes = sorted({os.path.dirname(name) for name in names})
    numbers = {name: number for number, name in enumerate(classes)}
    labels = [numbers[os.path.dirname(name)] for name in names]
    return {
        "image": [os.fsencode(os.path.join(DATA, name)) for name in names],
        "label": tf.constant(labels, tf.int64),
    }
