#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# How often verdicts are right (README.md). Wants a quiet machine: the load is made here.
#   experiments/verdict/run.sh [COMPARISONS [SECONDS [WARMUP [WORKERS]]]]   100 in each condition
#   experiments/verdict/run.sh --quick [COMPARISONS]   10: to see that it works
# Output: results.txt (the table of README.md), results.csv (the same), and every repeat's rate in
# build/verdict-rates/.
# MILLRACE_BUILD names a build folder with benchmarks to take instead of build/bench.
set -eu
cd "$(dirname "$0")/../.."
here=experiments/verdict usual=100
if [[ ${1-} == --quick ]]; then
  shift
  here=build/verdict-rates usual=10 # a trial replaces no result
fi
comparisons=${1-$usual} seconds=${2-0.5} warmup=${3-0.1} workers=${4-1}
build=${MILLRACE_BUILD:-build/bench}
if [[ -z ${MILLRACE_BUILD-} ]]; then
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMILLRACE_TESTS=OFF \
    -DMILLRACE_BENCHMARKS=ON >/dev/null
fi
ninja -C "$build" verdict_rates >/dev/null
mkdir -p build/verdict-rates
echo "condition,form,pair,comparisons,faster,slower,same,too_few,different_low,different_high,smallest_difference,repeats" \
  >$here/results.csv
{
  echo "# $(date -u +%F), $(nproc) cores: $(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)"
  echo "# git $(git rev-parse --short HEAD), repeats of $seconds s after $warmup s, workers: $workers"
  for condition in quiet load; do
    "$build/tests/bench/verdict_rates" "$comparisons" "$seconds" "$warmup" "$workers" $condition \
      build/verdict-rates/$condition.csv $here/results.csv
  done
} | tee $here/results.txt
