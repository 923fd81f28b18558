#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The version and the numbers of the interfaces are the same wherever they are written: the build
# files and headers, the Python package, CHANGELOG.md (its first section) and CONTRIBUTING.md.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# first SED-EXPRESSION FILE: the first match.
first() { sed -nE "$1;T;q" "$2" 2>/dev/null; }

# same WHAT WANTED FOUND PLACE
same() {
  [[ -n $2 && $2 == "$3" ]] || echo "$4: $1 is \`$3\`, and elsewhere \`$2\`"
}

# row TEXT: the number after it in the table of CONTRIBUTING.md.
row() { first "s/^\| $1 \| ([0-9.]+) \|.*/\1/p" CONTRIBUTING.md; }
# stated TEXT: the number after it in the first section of CHANGELOG.md.
stated() {
  awk '/^## \[/ { ++section } section == 1' CHANGELOG.md |
    first "s/^\|.*$1([0-9.]+).*/\1/p" /dev/stdin
}

offences() {
  local version date heading abi node_abi soversion major minor store format state
  version=$(first 's/^project\(Millrace VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
  date=$(first 's/^set\(MILLRACE_VERSION_DATE ([0-9-]+)\).*/\1/p' CMakeLists.txt)
  heading=$(first 's/^## (\[.*)/\1/p' CHANGELOG.md)
  abi=$(first 's/^#define MILLRACE_ABI ([0-9]+)/\1/p' app/capi/millrace.h)
  node_abi=$(first 's/^#define MILLRACE_NODE_ABI ([0-9]+)/\1/p' core/plugins/millrace_node.h)
  soversion=$(first 's/.*SOVERSION ([0-9]+).*/\1/p' app/capi/CMakeLists.txt)
  major=$(first 's/.*kEventFormatMajor = ([0-9]+);/\1/p' core/events/stream/event_json.h)
  minor=$(first 's/.*kEventFormatMinor = ([0-9]+);/\1/p' core/events/stream/event_json.h)
  store=$(project_files 'core/store/migrations/0*.cpp' | wc -l)
  format=$(first 's/.*kFormatVersion = ([0-9]+);/\1/p' core/graph/graph.h)
  state=$(first 's/.*kStateVersion = ([0-9]+);/\1/p' core/loader/loader_state.cpp)

  same 'the version' "$version" \
    "$(first 's/^__version__ = "(.*)"/\1/p' app/python/millrace/__init__.py)" \
    app/python/millrace/__init__.py
  [[ $heading == "[$version] - unreleased" || $heading == "[$version] - $date" ]] ||
    echo "CHANGELOG.md: the first section is \`$heading\`, of neither \`[$version] - unreleased\` nor \
\`[$version] - $date\`"
  same 'the ABI' "$abi" "$(row '`MILLRACE_ABI`')" CONTRIBUTING.md
  same 'the ABI' "$abi" "$(stated 'MILLRACE_ABI` ')" CHANGELOG.md
  same 'the ABI of nodes' "$node_abi" "$(row '`MILLRACE_NODE_ABI`')" CONTRIBUTING.md
  same 'the ABI of nodes' "$node_abi" "$(stated 'MILLRACE_NODE_ABI` ')" CHANGELOG.md
  same 'the SOVERSION' "$soversion" "$(row '`SOVERSION` of `libmillrace.so`')" CONTRIBUTING.md
  same 'the SOVERSION' "$soversion" "$(stated 'libmillrace\.so\.')" CHANGELOG.md
  same "the event stream's number" "$major.$minor" \
    "$(row 'event stream, major').$(row 'event stream, minor')" CONTRIBUTING.md
  same "the event stream's number" "$major.$minor" "$(stated 'event stream .*\| ')" CHANGELOG.md
  same "the store's number" "$store" "$(row store)" CONTRIBUTING.md
  same "the store's number" "$store" "$(stated 'store of runs \| ')" CHANGELOG.md
  same 'format_version' "$format" "$(row 'pipeline file, `format_version`')" CONTRIBUTING.md
  same 'format_version' "$format" "$(stated 'format_version` ')" CHANGELOG.md
  same 'millrace_state' "$state" "$(row 'state of a loader, `millrace_state`')" CONTRIBUTING.md
  same 'millrace_state' "$state" "$(stated 'millrace_state` ')" CHANGELOG.md
}
offences | verdict
