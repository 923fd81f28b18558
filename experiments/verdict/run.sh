#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# How often verdicts are right (README.md). Wants a quiet machine: the load is made here.
#   experiments/verdict/run.sh            100 comparisons in each condition, about 45 minutes
#   experiments/verdict/run.sh --quick    10 of them, about 5 minutes: shows that it works
#   experiments/verdict/run.sh COMPARISONS SECONDS WARMUP
# Output: results.txt (the table of README.md), results.csv (the same), and every repeat's rate in
# build/verdict-rates/.
set -eu
cd "$(dirname "$0")/../.."
comparisons=${1-100} seconds=${2-0.3} warmup=${3-0.05}
here=experiments/verdict
if [[ $comparisons == --quick ]]; then
  comparisons=10
  here=build/verdict-rates # a trial replaces no result
fi
build=${MILLRACE_BUILD-build/bench}
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
  echo "# git $(git rev-parse --short HEAD), repeats of $seconds s after $warmup s"
  for condition in quiet load; do
    "$build/tests/bench/verdict_rates" "$comparisons" "$seconds" "$warmup" $condition \
      build/verdict-rates/$condition.csv $here/results.csv
  done
} | tee $here/results.txt
