#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Measures what README.md reports, on a quiet machine, in about 15 minutes. Output: results.txt.
#   experiments/engine-limits/run.sh [BLOCKS [SECONDS]]
set -eu
cd "$(dirname "$0")/../.."
blocks=${1-8} seconds=${2-4}
build() { # FOLDER COUNTERS
  cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMILLRACE_TESTS=OFF \
    -DMILLRACE_BENCHMARKS=ON -DMILLRACE_COUNTERS="$2" >/dev/null
  ninja -C "$1" ratio_engine millrace >/dev/null
}
build build/bench ON
build build/bench-no-counters OFF
cache=${XDG_CACHE_HOME-$HOME/.cache}/millrace/samples
build/bench/app/cli/millrace run classification --batches 1 --warmup 0 --repeats 1 --no-store >/dev/null
photos=$cache/imagenet/train
ratio=build/bench/tests/bench/ratio_engine
{
  echo "# $(date -u +%F), $(nproc) cores: $(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)"
  echo "# git $(git rev-parse --short HEAD), $blocks blocks of $seconds s"
  $ratio photos "$photos" "$blocks" "$seconds"
  $ratio scaling "$photos" "$blocks" "$seconds"
  $ratio cache "$blocks" "$seconds"
  $ratio tiny 3 "$seconds"
  experiments/engine-limits/counters.sh "$photos" "$blocks" "$seconds"
} | tee experiments/engine-limits/results.txt
