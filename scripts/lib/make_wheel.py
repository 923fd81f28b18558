# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Pack app/python, the library and the program into a wheel (PyPA's binary distribution format 1.0).

make_wheel.py LIBRARY PROGRAM FOLDER [LICENCES]. It is tagged py3-none, because ctypes finds the library
by its name: one wheel serves every Python. The program lies next to the library, where the package looks
for it, and the command `millrace` starts it. LICENCES is a folder with one file for each library that is
linked into both.
"""

import base64
import hashlib
import re
import stat
import sys
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "app" / "python"
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
TAG = "py3-none-linux_x86_64"
PROGRAM = "millrace/millrace"
# pip writes the interpreter into the first line. The package is found without importing it, because that
# would import NumPy.
COMMAND = """#!python
import importlib.util
import os
import sys

program = os.path.join(os.path.dirname(importlib.util.find_spec("millrace").origin), "millrace")
os.execv(program, ["millrace", *sys.argv[1:]])
"""


def entry(name: str) -> zipfile.ZipInfo:
    """Return the entry of a file. pip installs an executable file as executable."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | (0o755 if name == PROGRAM or "/scripts/" in name else 0o644)) << 16
    return info


def main() -> None:
    library, program, folder, *licences = map(Path, sys.argv[1:])
    source = (PACKAGE / "millrace" / "__init__.py").read_text()
    version = re.search(r'__version__ = "(.+)"', source).group(1)
    info = f"millrace-{version}.dist-info"
    files = {
        f"millrace/{path.name}": path.read_bytes()
        for path in sorted((PACKAGE / "millrace").iterdir())
        if path.suffix in (".py", ".typed") or path.name == "py.typed"
    }
    files["millrace/libmillrace.so"] = library.resolve().read_bytes()
    files[PROGRAM] = program.read_bytes()
    files[f"{info}/METADATA"] = (
        "Metadata-Version: 2.1\n"
        "Name: millrace\n"
        f"Version: {version}\n"
        "Summary: Millrace's engine as the loader of a training program\n"
        "License: Apache-2.0\n"
        "Requires-Python: >=3.9\n"
        "Requires-Dist: numpy>=1.22\n"
        "Description-Content-Type: text/markdown\n\n" + GUIDE.read_text()
    ).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: millrace\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    ).encode()
    licence = PACKAGE.parents[1] / "LICENSES" / "Apache-2.0.txt"
    files[f"{info}/licenses/LICENSE"] = licence.read_bytes()
    for path in sorted(path for part in licences for path in part.iterdir()):
        files[f"{info}/licenses/{path.name}"] = path.read_bytes()
    files[f"millrace-{version}.data/scripts/millrace"] = COMMAND.encode()
    record = f"{info}/RECORD"
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    with zipfile.ZipFile(folder / f"millrace-{version}-{TAG}.whl", "w") as wheel:
        for name, content in files.items():
            wheel.writestr(entry(name), content)


if __name__ == "__main__":
    main()
