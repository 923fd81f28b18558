#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Every point of INTERACTION has its tests in the table of tests/widgets, and every test that the
# table names is there.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Rows: | 8 | what | tst_document: aTest, another; tst_canvas: third |
offences() {
  { project_files 'tests/*.cpp'; echo tests/widgets/README.md; } | xargs -r -d '\n' awk '
    BEGIN { points = 32; table = "tests/widgets/README.md" }
    FILENAME != table {
      if (FNR == 1) {
        name = FILENAME
        sub(/^.*\//, "", name)
        sub(/\.cpp$/, "", name)
      }
      if (match($0, /^ *void [A-Za-z0-9_]+\(\)/)) {
        found = substr($0, RSTART, RLENGTH)
        gsub(/^ *void |\(\)$/, "", found)
        there[name ": " found] = 1
        if (match(found, /^point[0-9]+_/) && substr(found, 6, RLENGTH - 6) + 0 > points)
          print FILENAME ":" FNR ": " found ": there are " points " points"
      }
      next
    }
    /^\| [0-9]+ \|/ {
      split($0, cell, /\|/)
      shown[cell[2] + 0] = 1
      files = split(cell[4], file, /; */)
      for (i = 1; i <= files; ++i) {
        colon = index(file[i], ":")
        name = substr(file[i], 1, colon - 1)
        gsub(/ /, "", name)
        tests = split(substr(file[i], colon + 1), test, /,/)
        for (j = 1; j <= tests; ++j) {
          gsub(/ /, "", test[j])
          if (!((name ": " test[j]) in there))
            print table ":" FNR ": there is no " test[j] " in " name ".cpp"
        }
      }
    }
    END {
      for (point = 1; point <= points; ++point)
        if (!(point in shown)) print table ": point " point " has no test"
    }' || echo "the table was not read"
}
offences | verdict
