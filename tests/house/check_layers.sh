#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# A room of core includes only from the rooms that layers.txt allows it, and from each of them.
table=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/layers.txt
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

offences() {
  project_files 'core/*.h' 'core/*.hpp' 'core/*.cpp' 'core/*.cu' 'core/*.cuh' 'core/*.inc' |
    xargs -r -d '\n' awk '
    FILENAME == ARGV[1] {
      if (/^#/ || !NF) next
      room = $1
      sub(/:$/, "", room)
      for (i = 2; i <= NF; ++i) {
        allowed[room, $i] = 1
        if (!($i in row)) print FILENAME ": " room " names " $i ", which has no row above it"
        unused[room, $i] = FILENAME ": " room " names " $i " and includes nothing from it"
      }
      row[room] = allowed[room, room] = 1
      next
    }
    FNR == 1 {
      split(FILENAME, path, "/")
      from = path[2]
      if (!(from in row)) print FILENAME ": room " from " has no row in tests/house/layers.txt"
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
      split($0, quoted, "\"")
      depth = split(quoted[2], part, "/")
      place = FILENAME ":" FNR ": " $0
      if (part[1] != "core" || depth < 3)
        print place "  (core includes \"core/<room>/<file>\" and <library> only)"
      else if (!((from, part[2]) in allowed))
        print place "  (" from " may not include from " part[2] ")"
      delete unused[from, part[2]]
      seen[from] = 1
    }
    END {
      for (pair in unused) {
        split(pair, rooms, SUBSEP)
        if (rooms[1] in seen) print unused[pair]
      }
    }' "$table"
}
offences | verdict
