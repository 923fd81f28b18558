# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob


def list_shards():
    """Return the paths of the shards."""
    return [os.path.join(DATA, name) for name in sorted(glob("*.tar", root_dir=DATA))]
