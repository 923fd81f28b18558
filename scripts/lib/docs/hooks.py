# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What MkDocs calls while it builds the site: docs/ and what is generated are the site's root."""

ROOTS = ("docs/", "generated/")


def on_files(files, config):
    del config
    for file in files:
        if file.src_uri.startswith(ROOTS):
            file.dest_uri = file.dest_uri.partition("/")[2]
        elif file.src_uri == "README.md":
            # docs/index.md is the home.
            file.dest_uri = "readme.html"
    return files
