# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The lines of core that were run, by room, from llvm-cov's lcov summary.
#   awk -v least=PERCENT -v by=room|file -f scripts/lib/coverage.awk FILE
# Fails where all of core is below `least` percent, and marks each row that is.
BEGIN { FS = ":" }

/^SF:/ {
  row = $2
  sub(/^.*\/core\//, "", row)
  if (by == "room") sub(/\/.*/, "", row)
}
/^LF:/ { lines[row] += $2; all += $2 }
/^LH:/ { covered[row] += $2; all_covered += $2 }

function print_row(name, of, part) {
  percent = of == 0 ? 100 : 100 * part / of
  printf "%-*s %7d of %6d lines %6.1f %%%s\n", width, name, part, of, percent,
    percent < least ? "  below " least " %" : ""
  return percent
}

END {
  if (all == 0) {
    print "No line of core was counted." > "/dev/stderr"
    exit 1
  }
  width = 12
  for (row in lines) {
    if (length(row) > width) width = length(row)
    # By insertion: not every awk can sort.
    for (at = ++count; at > 1 && rows[at - 1] > row; --at) rows[at] = rows[at - 1]
    rows[at] = row
  }
  for (at = 1; at <= count; ++at) print_row(rows[at], lines[rows[at]], covered[rows[at]])
  exit print_row("core", all, all_covered) < least
}
