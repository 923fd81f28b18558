#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_node_examples.sh SOURCE BUILD PROGRAM: the plug-ins of docs/plugins and docs/own-node.md build
# against an installed Millrace, with find_package and with pkg-config; the program of that prefix finds
# them and runs them.
set -eu
source=$1 build=$2 program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

prefix=$folder/prefix
cmake --install "$build" --prefix "$prefix" --component library >"$folder/log"
mkdir "$prefix/bin"
cp "$program" "$prefix/bin/millrace"
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CACHE_HOME=$folder/cache
unset MILLRACE_NODES

# pipeline KIND NODE...: writes one with these nodes in this order, of which `own` has that kind.
pipeline() {
  local kind=$1 from='' to wires=''
  shift
  for to; do
    [[ -z $from ]] || wires+="${wires:+,} {\"from\": \"$from\", \"to\": \"$to\"}"
    from=$to
  done
  cat >"$folder/p.millrace.json" <<JSON
{"format_version": 1, "nodes": [
  {"id": "synthetic", "kind": "synthetic", "params": {"count": 100, "content": "image"}},
  {"id": "own", "kind": "$kind"}, {"id": "workers", "kind": "workers"},
  {"id": "batch", "kind": "batch", "params": {"size": 8}}, {"id": "transfer", "kind": "transfer"},
  {"id": "drain", "kind": "drain"}],
 "wires": [$wires]}
JSON
}
# runs KIND: the installed program knows it and runs it.
runs() {
  "$prefix/bin/millrace" nodes "$1" >"$folder/said" || fail "nodes $1: $(cat "$folder/said")"
  grep -q "Comes from the plug-in \`$1\`" "$folder/said" || fail "nodes $1: $(cat "$folder/said")"
  pipeline "$1" synthetic own workers batch transfer drain
  "$prefix/bin/millrace" run "$folder/p.millrace.json" --batches 10 --repeats 1 --no-store \
    >"$folder/said" 2>&1 || fail "run with $1: $(cat "$folder/said")"
}
# builds NAME FLAG...: configures, builds and installs the example of that name, outside of its folder.
builds() {
  local name=$1
  shift
  cmake -S "$prefix/share/doc/millrace/plugins/$name" -B "$folder/$name" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_INSTALL_PREFIX="$prefix" "$@" >"$folder/log" 2>&1 || fail "$name: $(cat "$folder/log")"
  cmake --build "$folder/$name" >"$folder/log" 2>&1 || fail "$name: $(cat "$folder/log")"
  cmake --install "$folder/$name" >"$folder/log" 2>&1 || fail "$name: $(cat "$folder/log")"
}

! "$prefix/bin/millrace" nodes posterise >"$folder/said" 2>&1 || fail 'posterise is there before it is built'
builds posterise
runs posterise

# With pkg-config, and every warning of C99.
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name millrace.pc)")
export PKG_CONFIG_PATH
nodes=$(pkg-config --variable=nodesdir millrace)
[[ $(realpath "$nodes") == "$(realpath "$prefix/lib/millrace/nodes")" ]] || fail "nodesdir is $nodes"
rm "$nodes"/posterise.so
read -r -a flags < <(pkg-config --cflags millrace)
sed -n '/^```c$/,/^```$/p' "$source/docs/own-node.md" | sed '/^```/d' >"$folder/inverted.c"
for file in "$source/docs/plugins/posterise/posterise.c" "$folder/inverted.c"; do
  name=$(basename "$file" .c)
  cc -std=c99 -Wall -Wextra -Wconversion -Werror -pedantic -shared -fPIC -fvisibility=hidden "$file" \
    "${flags[@]}" -o "$nodes/$name.so"
  runs "$name"
done

compiler=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
if [[ -z $compiler ]]; then
  echo 'the example in CUDA is not built: no nvcc here'
  exit 0
fi
builds vignette -DCMAKE_CUDA_COMPILER="$compiler"
runs vignette
# Before a transfer, and after one to the emulated GPU, it does the same. The kernel is only compiled.
dump() {
  MILLRACE_BACKEND=$1 "$prefix/bin/millrace" run "$folder/p.millrace.json" --batches 10 --repeats 1 \
    --no-store --dump "$folder/$1" --dump-batches 3 >"$folder/said" 2>&1 ||
    fail "$1: $(cat "$folder/said")"
}
dump cpu
pipeline vignette synthetic workers batch transfer own drain
dump emulated
diff -r "$folder/cpu" "$folder/emulated" || fail 'the batches differ'
[[ $(find "$folder/cpu" -name '*.npy' | wc -l) -ge 3 ]] || fail "there are no batches in $folder/cpu"
echo 'posterise and vignette build, are found and run'
