# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A process that calls a user's function, and that imports the file itself: what server.py starts if a fork would
lose the threads of TensorFlow."""
import os

from millrace_own_python.server import become_worker, callable_of


def main(settings):
    # Each process is one worker; TensorFlow reads these when it starts its threads.
    for name in ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ.setdefault(name, "1")
    become_worker(settings["descriptors"], settings["server"], callable_of(settings), settings)
    os._exit(0)
