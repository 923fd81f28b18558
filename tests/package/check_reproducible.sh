#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Equal sources give equal objects in every folder, and no program holds the path of the folder in which
# it was built. scripts/check-reproducible compares whole programs.
#   check_reproducible.sh SOURCE PROGRAM...
set -u
cd "$1" || exit 1
shift
source=$PWD
scripts/check-reproducible --short || exit 1
for program in "$@"; do
  if grep -q -a -F "$source/" "$program"; then
    echo "$program holds paths of the folder in which it was built:"
    grep -a -o -F -e "$source/" "$program" | sort | uniq -c | head -n 5
    echo "Totals: 0 passed, 1 failed, 0 skipped"
    exit 1
  fi
  echo "Totals: 1 passed, 0 failed, 0 skipped"
done
