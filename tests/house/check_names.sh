#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# No two types of one name in one namespace, over all that may be linked into one program. The
# compiler does not see it when no source includes both; the linker then takes the members of either
# (the one-definition rule). no_PART.cpp stands in for sources that are then not compiled.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

offences() {
  project_files 'core/*.h' 'core/*.cpp' 'app/*.h' 'app/*.cpp' 'widgets/*.h' 'widgets/*.cpp' |
    grep -v '/no_[a-z0-9_]*\.cpp$' |
    xargs -r -d '\n' awk '
    FNR == 1 { depth = 0 }
    /^namespace .*\{$/ { name = $2 == "{" ? "" : $2; spaces[++depth] = name; next }
    /^\}  \/\/ namespace/ { if (depth > 0) depth--; next }
    /^(struct|class|enum class|enum|union) / && !/^[^{]*;$/ {
      line = $0
      sub(/^enum class |^[a-z]+ /, "", line)
      sub(/^(alignas\([^)]*\)|MILLRACE_[A-Z_]+(\([^)]*\))?) /, "", line)
      if (!match(line, /^[A-Za-z_][A-Za-z_0-9:]*/)) next
      name = substr(line, 1, RLENGTH)
      whole = ""
      for (i = 1; i <= depth; i++) {
        if (spaces[i] == "") next
        whole = whole spaces[i] "::"
      }
      whole = whole name
      if (whole in first && first[whole] != FILENAME)
        print FILENAME ":" FNR ": " whole " is defined in " first[whole] " too"
      else
        first[whole] = FILENAME
    }'
}
offences | verdict
