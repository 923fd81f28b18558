#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# How often verdicts are right (README.md). Needs a quiet machine; the script generates the load.
#   experiments/verdict/run.sh [COMPARISONS [SECONDS [WARMUP [WORKERS [quiet|load]]]]]
#   experiments/verdict/run.sh --quick [COMPARISONS]   10: to check that it works
# 100 comparisons in each condition, or only in the named one. Output: the condition's lines of the
# table in README.md in results-CONDITION.txt, the same in results-CONDITION.csv, and the rate of every
# repeat in build/verdict-rates/.
# MILLRACE_BUILD names a build folder with benchmarks to use instead of build/bench.
set -eu
cd "$(dirname "$0")/../.."
here=experiments/verdict usual=100
if [[ ${1-} == --quick ]]; then
  shift
  here=build/verdict-rates usual=10 # a trial replaces no result
fi
comparisons=${1-$usual} seconds=${2-0.5} warmup=${3-0.1} workers=${4-2} only=${5-}
build=${MILLRACE_BUILD:-build/bench}
if [[ -z ${MILLRACE_BUILD-} ]]; then
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMILLRACE_TESTS=OFF \
    -DMILLRACE_BENCHMARKS=ON >/dev/null
fi
ninja -C "$build" verdict_rates >/dev/null
mkdir -p build/verdict-rates
for condition in ${only:-quiet load}; do
  table=$here/results-$condition
  echo "condition,form,pair,comparisons,faster,slower,same,too_few,different_low,different_high,smallest_difference,repeats" \
    >"$table.csv"
  {
    echo "# $(date -u +%F), $(nproc) cores: $(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)"
    echo "# git $(git rev-parse --short HEAD), repeats of $seconds s after $warmup s, workers: $workers"
    "$build/tests/bench/verdict_rates" "$comparisons" "$seconds" "$warmup" "$workers" $condition \
      "build/verdict-rates/$condition.csv" "$table.csv"
  } | tee "$table.txt"
done
