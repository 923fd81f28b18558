# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The harness with TensorFlow for a test: that of this interpreter, or of the one that MILLRACE_TF_PYTHON names."""

import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import tensorflow as tf  # noqa: F401
except ImportError:
    other = os.environ.pop("MILLRACE_TF_PYTHON", "")
    if other:
        os.execvp(other, [other] + sys.argv)
    print("skipped: TensorFlow is not installed, and MILLRACE_TF_PYTHON names no interpreter that has it")
    sys.exit(77)

FOLDER = Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
