#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The photo workload with counters, and with counters compiled out, in alternation.
set -eu
cd "$(dirname "$0")/../.."
photos=$1 blocks=$2 seconds=$3
rate() { # BUILD FOLDER
  "$1"/tests/bench/ratio_engine rate "$photos" "$seconds"
}
for ((block = 0; block < blocks; block++)); do
  if ((block % 2)); then
    off=$(rate build/bench-no-counters) on=$(rate build/bench)
  else
    on=$(rate build/bench) off=$(rate build/bench-no-counters)
  fi
  echo "$on $off"
done | awk '{ l = log($1 / $2); s += l; q += l * l; n++; a += $1; b += $2 }
  END { m = s / n; d = sqrt((q - n * m * m) / (n - 1) / n)
        printf "counters on / compiled out, 2 workers: ratio %.4f, standard error %.4f  (%.1f against %.1f photos/s, %d blocks)\n",
               exp(m), d, a / n, b / n, n }'
