# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Runs the harness from texts in memory: `parts` has this one and the others by their names."""
import json
import sys

exec(parts["importer"])  # noqa: F821
part("harness").main(dict(json.loads(sys.argv[1]), file=sys.argv[2]))  # noqa: F821
