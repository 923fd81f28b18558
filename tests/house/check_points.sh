#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Every behaviour of the workbench that docs/workbench.md promises (each heading of the third level)
# has tests in tests/widgets/behaviours.txt, the list names no other behaviour, and every test that
# it names exists.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

offences() {
  { project_files 'tests/*.cpp'; echo docs/workbench.md; echo tests/widgets/behaviours.txt; } |
    xargs -r -d '\n' awk '
    BEGIN { page = "docs/workbench.md"; list = "tests/widgets/behaviours.txt" }
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
    FILENAME != list {
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
    /^#/ || /^$/ { next }
    /^[^ ]/ {
      name = $0
      if (!(name in promised)) print list ":" FNR ": " page " has no heading for " name
      next
    }
    {
      source = substr($1, 1, length($1) - 1)
      tests = split(substr($0, index($0, ":") + 1), test, /, */)
      for (j = 1; j <= tests; ++j) {
        gsub(/ /, "", test[j])
        if ((source ": " test[j]) in there)
          shown[name] = 1
        else
          print list ":" FNR ": there is no " test[j] " in " source ".cpp"
      }
    }
    END {
      rows = 0
      for (name in promised) {
        ++rows
        if (!(name in shown)) print page ":" promised[name] ": " name " has no test in " list
      }
      if (rows == 0) print page ": no behaviour was found"
    }' || echo "the list was not read"
}
offences | verdict
