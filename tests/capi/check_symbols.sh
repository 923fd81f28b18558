#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_symbols.sh LIBRARY: it exports exactly what symbols.txt lists.
set -eu
listed=$(cd "$(dirname "$0")" && pwd)/symbols.txt
nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort |
  diff "$listed" - || {
  echo "$1 exports other symbols than $listed: < missing, > too many" >&2
  exit 1
}
