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
# The head of files in the trees, not of this one: REUSE-IgnoreStart
head=$'// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0\n'
# REUSE-IgnoreEnd

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

layers='#include "core/base/a.h"
#include "core/cuda/a.h"
#include "core/data/a.h"
'
try check_layers.sh clean core/spec/a.h "$layers"
try check_layers.sh 'spec names cuda and includes nothing from it' core/spec/a.h "${layers/cuda/base}"
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
try check_includes.sh 'from app to widgets' widgets/a.cpp '#include "app/workbench/window/main_window.h"'
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

try check_line_ends.sh clean core/a.cpp $'int a;\n' tests/fuzz/seeds/manifest/a.csv $'a\r\nb ' \
  resources/pictures/a.png $'\x89PNG\r\n \n'
try check_line_ends.sh 'core/a.cpp:2: ends with a carriage return' core/a.cpp $'int a;\nint b;\r\n'
try check_line_ends.sh 'docs/a.md:1: ends with a space' docs/a.md $'a \nb\n'
try check_line_ends.sh 'core/a.cpp: the last line has no end' core/a.cpp 'int a;'

try check_flags.sh clean core/a.cpp 'Error{"use the setting `force`, see `millrace run --help`"}; // --x'
try check_flags.sh 'core/a.cpp:1: names a flag' core/a.cpp 'Error{"use --force to replace it"};'
try check_flags.sh 'core/a.cpp:1: names a flag' core/a.cpp 'Error{"--patch is odd"};'
try check_flags.sh clean app/cli/a.cpp 'Error{"use --force to replace it"};'

# On the project's own files, unchanged and with one number changed.
numbered=()
for file in CMakeLists.txt CHANGELOG.md CONTRIBUTING.md app/capi/CMakeLists.txt app/capi/millrace.h \
  app/python/millrace/__init__.py core/events/stream/event_json.h core/graph/graph.h \
  core/loader/loader_state.cpp core/plugins/millrace_node.h $(cd "$house/../.." && ls core/store/migrations/0*.cpp); do
  numbered+=("$file" "$(cat "$house/../../$file")")
done
try check_versions.sh clean "${numbered[@]}"
try check_versions.sh 'CONTRIBUTING.md: the ABI is `3`, and elsewhere `4`' \
  "${numbered[@]/define MILLRACE_ABI 3/define MILLRACE_ABI 4}"
try check_versions.sh 'CHANGELOG.md: the ABI of nodes is `1`, and elsewhere `2`' \
  "${numbered[@]/define MILLRACE_NODE_ABI 1/define MILLRACE_NODE_ABI 2}"
try check_versions.sh "CHANGELOG.md: the store's number is" "${numbered[@]}" \
  core/store/migrations/0099_next.cpp 'x'

# Where there is no tool the check is skipped, and so are these.
licences=0
source "$house/../../scripts/lib/licences.sh"
MILLRACE_REUSE=$(find_reuse "$house/../..") && export MILLRACE_REUSE && licences=1
text=$'Apache License\n'
# REUSE-IgnoreStart
if [[ $licences -eq 1 ]]; then
  try check_licences.sh clean core/a.cpp "$head" LICENSES/Apache-2.0.txt "$text"
  try check_licences.sh 'core/b.cpp: no license' core/a.cpp "$head" core/b.cpp 'int b;' \
    LICENSES/Apache-2.0.txt "$text"
  try check_licences.sh "missing license 'MIT'" core/a.cpp "$head" core/b.cpp \
    "${head/Apache-2.0/MIT}" LICENSES/Apache-2.0.txt "$text"
fi
# REUSE-IgnoreEnd

page=$'### Search to add\n### Undo\n'
list=$'search-to-add\n  tst_a: aTest\nundo\n  tst_a: aTest\n'
a=$'  void aTest() {}\n'
points() {  # WANTED TEST_FILE PAGE LIST
  try check_points.sh "$1" "tests/widgets/$2" "$a" docs/workbench.md "$3" \
    tests/widgets/behaviours.txt "$4"
}
points clean tst_a.cpp "$page" "$list"
points 'there is no aTest in tst_a.cpp' tst_b.cpp "$page" "$list"
points 'workbench.md:2: undo has no test' tst_a.cpp "$page" "${list%undo*}"
points 'undo has no test' tst_a.cpp "$page" "${list%  tst_a*}"
points 'has no heading for undo' tst_a.cpp "${page%\#\#\# Undo*}" "$list"
points 'two headings of this name' tst_a.cpp "$page$page" "$list"
points 'no behaviour was found' tst_a.cpp 'Nothing' ''

b=$'# B\n## A heading, of two\n'
try check_references.sh clean docs/a.md '[b](b.md#a-heading-of-two) [web](https://a.b/c.md) `[x](y.md)`' \
  docs/b.md "$b"
try check_references.sh clean core/a/README.md '[b](../../docs/b.md "title")' docs/b.md "$b" \
  core/a.h '// See docs/b.md#b.'
try check_references.sh 'docs/a.md:1: there is no docs/c.md' docs/a.md '[c](c.md)'
try check_references.sh 'there is no README' core/README.md '[up](../README)'
try check_references.sh 'docs/b.md has no heading for #c' docs/a.md '[b](b.md#c)' docs/b.md "$b"
try check_references.sh 'docs/a.md has no heading for #c' docs/a.md '[here](#c)'
try check_references.sh 'docs/a.md:2: there is no docs/c.png' docs/a.md $'# A\n![c](c.png)'
try check_references.sh 'docs/a.md:1: there is no docs/c.md' docs/a.md '[c]: c.md'
try check_references.sh 'core/a.h:1: there is no docs/b.md' core/a.h '// See docs/b.md.'
try check_references.sh 'docs/b.md has no heading for #c' core/a.h '// See docs/b.md#c.' docs/b.md "$b"
try check_references.sh 'there is no core/gone.h' docs/a.md 'See `core/gone.h`.'
try check_references.sh 'core/a.h:1:CONTRACT is a document' core/a.h '// As CONTRACT §3 says.'
try check_references.sh 'HOUSE is a document' core/README.md 'A habit of HOUSE.md.'

# shellcheck disable=SC2016  # Backticks quote the phrase.
try check_words.sh clean core/a.h $'// Made again after the first one.\nint anew = 0;\n'
try check_words.sh 'core/a.h:2: `anew`: again' core/a.h $'int a;\n// Made anew.\n'
try check_words.sh '`one behind the other`' core/a.h $'int a;  ///< one behind the other\n'
try check_words.sh 'core/a.h:1: `in front of`' core/a.h $'/// The part in\n/// front of it.\n'
try check_words.sh '`whoever`' core/a.cpp $'const char* a = "for whoever asks";\n'
try check_words.sh '`nobody`' core/a.cpp $'f("a long text that no"\n  "body reads "\n  "nobody at all");\n'
try check_words.sh '`behind the`' a.md $'Rows lie behind\nthe first.\n'
try check_words.sh clean a.md $'```\nbehind the first\n```\n'
try check_words.sh 'scripts/a:2: `of its own`' scripts/a $'#!/bin/sh\necho "a folder of its own"\n'
try check_words.sh clean core/a.h $'/// A value that is no longer used.\nint a = 0;  // made anew  words: ok\n'

echo "Totals: $passed passed, $failed failed, 0 skipped"
[[ $failed -eq 0 ]]
