# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Storage that takes long to answer, for programs that are started with `environment`."""
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).parent.parent / "diagnosis" / "slow_storage.c"
NAMES = {"latency_ms": "LATENCY_MS", "mb_per_s": "MB_PER_S", "cached": "CACHED"}


def compiled(folder):
    """The library that makes storage slow; needs a C compiler."""
    library = folder / "slow_storage.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"],
                   check=True)
    return library


def environment(library, folder, storage):
    """Of a program whose files below `folder` lie on storage with these `NAMES`."""
    slow = {f"SLOW_STORAGE_{NAMES[key]}": str(value) for key, value in storage.items()}
    return {**os.environ, **slow, "LD_PRELOAD": str(library),
            "SLOW_STORAGE_UNDER": f"{folder.resolve()}/"}
