#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_installed_library.sh SOURCE BUILD VERSION: the library is installed into a folder, which is
# moved; app/capi/example.c builds against it there with find_package and with pkg-config, and runs.
# A version that it does not offer is refused.
set -eu
source=$1 build=$2 version=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$folder/first" --component library >"$folder/log"
mv "$folder/first" "$folder/moved"
prefix=$folder/moved
config=$(find "$prefix" -name millrace-config.cmake)
library=$(find "$prefix" -name libmillrace.so)
[[ -n $config && -n $library ]] || fail "no CMake package or no library in: $(cat "$folder/log")"
! grep -r -l -e "$folder/first" -e "$build" "$prefix" --include='*.cmake' --include='*.pc' ||
  fail "these name the folder that they were installed into, or the build folder"

cat >"$folder/p.millrace.json" <<'JSON'
{"format_version": 1, "nodes": [
  {"id": "synthetic", "kind": "synthetic", "params": {"count": 100, "length": 10}},
  {"id": "shuffle", "kind": "shuffle"}, {"id": "workers", "kind": "workers"},
  {"id": "batch", "kind": "batch", "params": {"size": 8}}, {"id": "drain", "kind": "drain"}],
 "wires": [{"from": "synthetic", "to": "shuffle"}, {"from": "shuffle", "to": "workers"},
  {"from": "workers", "to": "batch"}, {"from": "batch", "to": "drain"}]}
JSON
# runs PROGRAM: whether it prints a line for each of two epochs.
runs() {
  local said
  said=$(LD_LIBRARY_PATH=$(dirname "$library") "$1" "$folder/p.millrace.json") || fail "$1"
  [[ $(grep -c '^100 samples, sum ' <<<"$said") == 2 ]] || fail "$1 printed: $said"
}

# project FOLDER WANTED: configures a project that wants this version.
project() {
  mkdir -p "$1"
  cp "$source/app/capi/example.c" "$1"
  cat >"$1/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(Example LANGUAGES C)
find_package(millrace $2 REQUIRED)
add_executable(example example.c)
target_link_libraries(example PRIVATE millrace::millrace)
CMAKE
  cmake -S "$1" -B "$1/build" -DCMAKE_PREFIX_PATH="$prefix" >"$folder/log" 2>&1
}
project "$folder/cmake" "$version" || fail "find_package: $(cat "$folder/log")"
cmake --build "$folder/cmake/build" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
runs "$folder/cmake/build/example"
! project "$folder/later" 99.0 || fail "find_package(millrace 99.0) found $version"
grep -q "version: $version" "$folder/log" || fail "the refusal is: $(cat "$folder/log")"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name millrace.pc)")
export PKG_CONFIG_PATH
pkg-config --print-errors --exists "millrace = $version"
! pkg-config --exists 'millrace >= 99' || fail "pkg-config takes $version for 99"
read -r -a flags < <(pkg-config --cflags --libs millrace)
cc "$source/app/capi/example.c" "${flags[@]}" -o "$folder/example"
runs "$folder/example"
