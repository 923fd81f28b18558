# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def missing(node, why):
    """Replace a node that was not translated: raise, or change nothing."""
    if not ACCEPT_MISSING:
        raise NotImplementedError(f"{node}: {why}; put your own code here")
    return lambda value: value
