#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Every behaviour of the workbench that docs/workbench.md promises (each heading of the third level)
# has its tests in the table of tests/widgets/README.md, the table names no other behaviour, and
# every test that it names exists.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Rows: | [undo](../../docs/workbench.md#undo) | part | tst_document: aTest, another; tst_canvas: third |
offences() {
  { project_files 'tests/*.cpp'; echo docs/workbench.md; echo tests/widgets/README.md; } |
    xargs -r -d '\n' awk '
    BEGIN { page = "docs/workbench.md"; table = "tests/widgets/README.md" }
    FILENAME == page {
      if (/^### /) {
        name = tolower(substr($0, 5))
        gsub(/[^a-z0-9 -]/, "", name)
        gsub(/ /, "-", name)
        if (name in promised) print page ":" FNR ": there are two headings of this name"
        promised[name] = FNR
      }
      next
    }
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
      }
      next
    }
    /^\| \[/ {
      split($0, cell, /\|/)
      name = cell[2]
      sub(/^ \[/, "", name)
      sub(/\].*$/, "", name)
      if (cell[2] != " [" name "](../../" page "#" name ") ")
        print table ":" FNR ": the first cell must link to " page "#" name
      if (!(name in promised)) print table ":" FNR ": " page " has no heading for " name
      files = split(cell[4], file, /; */)
      for (i = 1; i <= files; ++i) {
        colon = index(file[i], ":")
        tests = split(substr(file[i], colon + 1), test, /,/)
        source = substr(file[i], 1, colon - 1)
        gsub(/ /, "", source)
        for (j = 1; j <= tests; ++j) {
          gsub(/ /, "", test[j])
          if ((source ": " test[j]) in there)
            shown[name] = 1
          else
            print table ":" FNR ": there is no " test[j] " in " source ".cpp"
        }
      }
    }
    END {
      rows = 0
      for (name in promised) {
        ++rows
        if (!(name in shown)) print page ":" promised[name] ": " name " has no test in " table
      }
      if (rows == 0) print page ": no behaviour was found"
    }' || echo "the table was not read"
}
offences | verdict
