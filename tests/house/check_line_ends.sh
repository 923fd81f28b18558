#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Lines of text end as .editorconfig says: with a line feed alone, without spaces before it, also the
# last line of a file. Left out are bytes that tests compare, and what experiments measured.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

text_files() {
  project_files |
    grep -v -E '^(tests/fuzz/seeds|tests/core/export/golden|tests/widgets/recorded|LICENSES)/' |
    grep -v -E '^experiments/.*\.(csv|svg|txt)$|\.png$' |
    # Neither binary files nor empty ones have lines.
    xargs -r -d '\n' grep -l -I ''
}

offences() {
  text_files | xargs -r -d '\n' grep -n -H -E $'[ \t\r]$' |
    sed -E $'s/^([^:]*:[0-9]+):.*\r$/\\1: ends with a carriage return/
             s/^([^:]*:[0-9]+):.*[ \t]$/\\1: ends with a space/'
  text_files | xargs -r -d '\n' grep -L -P -z '\n\z' | sed 's/$/: the last line has no end/'
}
offences | verdict
