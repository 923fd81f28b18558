#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The table of scripts/coverage: its sums, the rows that it marks, and when it fails.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# lcov FILE LINES COVERED...: as llvm-cov summarises sources.
lcov() {
  while [[ $# -gt 0 ]]; do
    printf 'SF:/a/core/%s\nFNF:3\nFNH:3\nLF:%s\nLH:%s\nend_of_record\n' "$1" "$2" "$3"
    shift 3
  done
}

# try WANTED_STATUS WANTED_TEXT BY FILE LINES COVERED...: spaces that line up the table do not count.
try() {
  local wanted=$1 text=$2 by=$3 output status
  shift 3
  output=$(lcov "$@" | awk -v least=85 -v by="$by" -f scripts/lib/coverage.awk 2>&1)
  status=$?
  output=$(tr -s ' ' <<<"$output")
  [[ $status -eq $wanted && $output == "$text" ]] && return
  printf 'wanted exit %s and:\n%s\nexit %s and:\n%s\n' "$wanted" "$text" "$status" "$output"
}

{
  try 0 $'base 18 of 20 lines 90.0 %\nrun 67 of 80 lines 83.8 % below 85 %\ncore 85 of 100 lines 85.0 %' \
    room run/a.cpp 40 37 base/b.h 20 18 run/c/d.cpp 40 30
  try 1 $'run 84 of 100 lines 84.0 % below 85 %\ncore 84 of 100 lines 84.0 % below 85 %' \
    room run/a.cpp 100 84
  try 0 $'run/a.cpp 9 of 10 lines 90.0 %\nrun/b.h 0 of 0 lines 100.0 %\ncore 9 of 10 lines 90.0 %' \
    file run/b.h 0 0 run/a.cpp 10 9
  try 1 'No line of core was counted.' room
} | verdict
