# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Markdown, with its code blocks told from the rest."""


def outside(text, change):
    """Return `text` with `change` applied to each line that is not in a fenced code block."""
    fence = None
    lines = []
    for line in text.split("\n"):
        bare = line.strip()
        if fence is None and bare.startswith("```"):
            fence = bare[:len(bare) - len(bare.lstrip("`"))]
        elif fence is not None:
            if bare == fence:
                fence = None
        else:
            line = change(line)
        lines.append(line)
    return "\n".join(lines)
