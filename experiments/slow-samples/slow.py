# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The step that takes its time: a `python` node of the pipelines of run.py."""
import os
import time
import zlib

EVERY, TIMES, SECONDS = int(os.environ["EVERY"]), float(os.environ["TIMES"]), 0.001


def step(image):
    """Sleeps 1 ms, and for the same one in EVERY samples of each epoch TIMES as long."""
    slow = zlib.crc32(image.tobytes()) % EVERY == 0
    time.sleep(SECONDS * (TIMES if slow else 1))
    return image
