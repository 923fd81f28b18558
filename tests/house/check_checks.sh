#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The house checks find what they are there for: each is given a small tree with one offence, and a
# clean one.
set -u
house=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
passed=0 failed=0
head=$'// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0\n'

# try CHECK WANTED FILE TEXT [FILE TEXT]...: WANTED is the text that the check must print, or `clean`.
try() {
  local check=$1 wanted=$2 file=$3 output status
  shift 2
  rm -rf "${tree:?}"/*
  while [[ $# -gt 0 ]]; do
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s' "$2" >"$tree/$1"
    shift 2
  done
  output=$("$house/$check" "$tree" 2>&1)
  status=$?
  if { [[ $wanted == clean && $status -eq 0 ]]; } ||
    { [[ $wanted != clean && $status -eq 1 && $output == *"$wanted"* ]]; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$check on $file: wanted \`$wanted\`, exit $status:"
    echo "$output"
  fi
}

try check_layers.sh clean core/spec/a.h '#include "core/data/dtype.h"'
try check_layers.sh 'core/data/a.h:1' core/data/a.h '#include "core/spec/catalog.h"'
try check_layers.sh 'base may not include from run' core/base/a.cpp '  #  include "core/run/x.h"'
try check_layers.sh 'and <library> only' core/base/a.cpp '#include "clock.h"'
try check_layers.sh 'and <library> only' core/base/a.cpp '#include "tests/support/test_case.h"'
try check_layers.sh 'room attic has no row' core/attic/a.cpp '#include "core/attic/a.h"'
try check_includes.sh clean core/base/a.h '#include <queue>'
try check_includes.sh 'no Qt here' core/base/a.h '#include <QString>'
try check_includes.sh 'no Qt here' core/base/a.h '#include <QtCore/QString>'
try check_includes.sh 'no Qt here' app/cli/a.cpp '#include <qstring.h>'
try check_includes.sh 'widgets is GPL' app/cli/a.cpp '#include "widgets/canvas/scene.h"'
try check_includes.sh 'from app to widgets' widgets/a.cpp '#include "app/workbench/main_window.h"'
try check_includes.sh 'json_fwd.hpp in headers' core/graph/a.h '#include <nlohmann/json.hpp>'
try check_includes.sh clean core/graph/a.cpp '#include <nlohmann/json.hpp>'
try check_includes.sh 'see CUDA' core/run/a.cpp '#include <cuda_runtime.h>'
try check_includes.sh clean core/cuda/a.h '#include <cuda_runtime.h>'
try check_heads.sh clean core/base/a.h "$head#pragma once"
try check_heads.sh 'has no #pragma once' core/base/a.h "$head#include <map>"
try check_heads.sh clean scripts/a $'#!/bin/sh\n'"${head//\/\//#}"
try check_heads.sh 'no SPDX-FileCopyrightText' core/base/a.h '#pragma once'
try check_heads.sh 'must be GPL-3.0-or-later' widgets/a.h "$head#pragma once"
try check_heads.sh 'must be Apache-2.0' core/a.cpp "${head/Apache-2.0/MIT}"
try check_heads.sh 'is empty' core/base/a.cpp ''
a=$'namespace millrace {\nclass A {\n};\n}  // namespace millrace\n'
try check_names.sh clean core/a.h "$a" core/b.h "${a/millrace/millrace::b}"
try check_names.sh clean core/a.h "$a" core/b.h "${a/ \{$'\n'\}/}"
try check_names.sh clean core/a.h "$a" core/b.cpp "namespace {"$'\n'"$a"
try check_names.sh 'millrace::A is defined in core/a.h too' core/a.h "$a" widgets/b.h "$a"
try check_names.sh 'core/b.cpp:2: millrace::A' core/a.h "$a" core/b.cpp \
  "${a/class A \{$'\n'/enum class A { One, Two }; struct B \{}"

points=$(for point in {1..32}; do echo "| $point | all | tst_a: aTest |"; done)
a=$'  void aTest() {}\n'
try check_points.sh clean tests/widgets/tst_a.cpp "$a" tests/widgets/README.md "$points"
try check_points.sh 'there is no aTest in tst_a.cpp' tests/widgets/tst_b.cpp "$a" \
  tests/widgets/README.md "$points"
try check_points.sh 'point 32 has no test' tests/widgets/tst_a.cpp "$a" \
  tests/widgets/README.md "${points%|*32 *}"
try check_points.sh 'there are 32 points' tests/widgets/tst_a.cpp "$a  void point33_b() {}" \
  tests/widgets/README.md "$points"

echo "Totals: $passed passed, $failed failed, 0 skipped"
[[ $failed -eq 0 ]]
