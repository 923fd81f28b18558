# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Runs a part from texts in memory: `parts` has this one and the others by their names.

Arguments: the part, its settings as JSON, the user's file. The file is a separate argument because
Python reads a name that is not UTF-8 from there.
"""
import json
import sys

exec(parts["importer"])  # noqa: F821
part(sys.argv[1]).main(dict(json.loads(sys.argv[2]), file=sys.argv[3]))  # noqa: F821
