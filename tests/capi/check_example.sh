#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_example.sh SOURCE LIBRARY: the example builds with cc as C99, runs, and reports errors; a
# program that forgets to close still ends cleanly.
set -eu
source=$1 library=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/p.millrace.json" <<'JSON'
{"format_version": 1, "nodes": [
  {"id": "synthetic", "kind": "synthetic", "params": {"count": 100, "length": 10}},
  {"id": "shuffle", "kind": "shuffle"}, {"id": "workers", "kind": "workers"},
  {"id": "batch", "kind": "batch", "params": {"size": 8}}, {"id": "drain", "kind": "drain"}],
 "wires": [{"from": "synthetic", "to": "shuffle"}, {"from": "shuffle", "to": "workers"},
  {"from": "workers", "to": "batch"}, {"from": "batch", "to": "drain"}]}
JSON
build() {
  cc -std=c99 -Wall -Wextra -Werror -pedantic -I"$source/app/capi" "$1" -o "$2" "$library" \
    -Wl,-rpath,"$(dirname "$library")"
}
build "$source/app/capi/example.c" "$folder/example"
said=$("$folder/example" "$folder/p.millrace.json")
[[ $(wc -l <<<"$said") == 2 && $said == "100 samples, sum "* ]]
[[ $(sort -u <<<"$said" | wc -l) == 1 ]]
! "$folder/example" /nowhere.json 2>"$folder/error"
grep -q 'no such file' "$folder/error"
sed 's/millrace_close(loader);/(void)loader;/' "$source/app/capi/example.c" >"$folder/forgets.c"
build "$folder/forgets.c" "$folder/forgets"
"$folder/forgets" "$folder/p.millrace.json" >"$folder/said"
cmp <(echo "$said") "$folder/said"
