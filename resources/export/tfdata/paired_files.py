# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob


def list_pairs(partner):
    """Return the paths in both folders, which have the same order by name."""
    folders = {"image": INPUTS, partner: TARGETS}
    return {
        field: [
            os.fsencode(os.path.join(folder, name))
            for name in sorted(glob("*", root_dir=folder))
        ]
        for field, folder in folders.items()
    }
