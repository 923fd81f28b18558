# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Reads CTest's LastTest.log, prints passed, failed and skipped test functions.
#
# A program that prints lines `Totals: A passed, B failed, C skipped` counts with these numbers, minus
# QtTest's own initTestCase and cleanupTestCase; any other program counts as one. A program that failed
# counts as at least one failure, so that a crash is not lost.

function open_program() {
  open = 1
  p = f = s = totals = lines = frame = 0
}

function close_program(verdict) {
  if (!open) return
  open = 0
  p += lines  # Functions that passed before a crash.
  if (verdict == "failed" && f == 0) f = 1
  if (verdict == "passed" && !totals) p = 1
  if (verdict == "skipped" && !totals) s = 1
  passed += p
  failed += f
  skipped += s
}

/^[0-9]+\/[0-9]+ Testing: / {
  close_program("failed")  # No verdict line: CTest was stopped inside it.
  open_program()
}
/^PASS   : / {
  if (/::(init|cleanup)TestCase\(\)/) ++frame; else ++lines
}
/^Totals: / {
  totals = 1
  p += $2 - frame
  f += $4
  s += $6
  lines = frame = 0
}
/^Test Passed\.$/ { close_program("passed") }
/^Test Skipped\.$/ { close_program("skipped") }
/^Test (Failed\.|Timeout|timeout|Not Run)/ { close_program("failed") }
END {
  close_program("failed")
  print passed + 0, failed + 0, skipped + 0
}
