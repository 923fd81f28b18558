# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The wheel before auditwheel adds libraries: `scripts/wheel` tries the complete one."""

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from shared import finish

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts" / "lib"


def unpack(wheel, folder):
    """Unpack as pip does: of the permissions, only that to execute is taken."""
    with zipfile.ZipFile(wheel) as packed:
        for entry in packed.infolist():
            path = Path(packed.extract(entry, folder))
            path.chmod(0o755 if entry.external_attr >> 16 & 0o111 else 0o644)


class Wheel(unittest.TestCase):
    def test_its_program_measures_the_trials(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, SCRIPTS / "make_wheel.py", os.environ["MILLRACE_LIBRARY"]]
            subprocess.run([*command, os.environ["MILLRACE"], folder], check=True)
            (wheel,) = Path(folder).glob("millrace-*.whl")
            unpack(wheel, Path(folder, "site"))
            without = ("MILLRACE_LIBRARY", "MILLRACE_PROGRAM", "PYTHONPATH")
            environment = {key: value for key, value in os.environ.items() if key not in without}
            environment.update(PYTHONPATH=str(Path(folder, "site")), PATH=folder)
            tried = subprocess.run(
                [sys.executable, SCRIPTS / "try_wheel.py"], cwd=folder, env=environment, capture_output=True
            )
        self.assertEqual(tried.returncode, 0, tried.stderr.decode())


if __name__ == "__main__":
    finish()
