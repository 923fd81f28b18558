#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Pinned or pageable, by batch size and element type: a sweep of pipeline.millrace.json.
#   experiments/pinned/run.sh [MILLRACE]   about six minutes; needs a GPU
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
millrace=${1:-build/release/app/cli/millrace}
"$millrace" doctor | sed -n '/^GPU/,/^places/p'
"$millrace" sweep "$here/pipeline.millrace.json" --seconds 2 --warmup 1 --experiment pinned \
  --vary transfer.pinned=true,false --vary batch.size=32..512:x2 --vary synthetic.element=u8,f32
