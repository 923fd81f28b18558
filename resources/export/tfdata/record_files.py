# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob


def list_files():
    """Return the TFRecord files in DATA."""
    names = sorted(glob("*.tfrec*", root_dir=DATA))
    return [os.fsencode(os.path.join(DATA, name)) for name in names]
