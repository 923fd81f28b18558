# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The lines that Millrace reads from the harness (core/own_loader/loader_lines.h)."""
import json
import os


class Gone(BaseException):
    """Millrace has ended."""


class Lines:
    """Writes lines for Millrace. A copy of this process that a fork made is ended instead."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.owner = os.getpid()
        self.phase = "import"  # what the process is doing with the user's code

    def write(self, text):
        if os.getpid() != self.owner:
            os._exit(0)
        data = (text + "\n").encode("utf-8", "replace")
        try:
            while data:
                data = data[os.write(self.descriptor, data):]
        except OSError:
            raise Gone() from None

    def tell(self, event, **values):
        values["event"] = event
        self.write(json.dumps(values))
