#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Pinned or pageable, by batch size and element type: a sweep of pipeline.millrace.json. Output: the
# figures of every setting in RESULTS, by default results.csv next to this file, and the printed
# output in the .txt file next to it.
#   experiments/pinned/run.sh [MILLRACE [RESULTS]]   about six minutes; needs a GPU
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
millrace=${1:-build/release/app/cli/millrace} results=${2:-$here/results.csv}
mkdir -p "$(dirname "$results")"
{
  echo "# $(date -u +%F), $(nproc) cores: $(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)"
  "$millrace" doctor | sed -n '/^CUDA/,/^places/{/^places/d; p}'
  "$millrace" sweep "$here/pipeline.millrace.json" --seconds 2 --warmup 1 --experiment pinned \
    --vary transfer.pinned=true,false --vary batch.size=32..512:x2 \
    --vary synthetic.element=u8,f32 --csv "$results"
} | tee "${results%.csv}.txt"
