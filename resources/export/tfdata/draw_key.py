# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import zlib

import tensorflow as tf


def draw_key(epoch, key, node):
    """The seed from which all draws of one node for one sample follow.

    So they do not depend on the number of workers or on restarts.
    """
    node_key = (SEED + zlib.crc32(node.encode()) * 2**31) % 2**63
    return tf.stack([tf.constant(node_key, tf.int64), epoch * 2**40 + key])
