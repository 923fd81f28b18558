#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# What second requests gain from a server that answers one request in 100 two seconds late.
#   experiments/remote-data/slow_answers.sh PHOTOS [MILLRACE]
# PHOTOS: a folder with JPEG files, as for run.sh. Both ways are measured in turn, with 64 requests in flight.
set -euo pipefail
photos=$(realpath "$1")
millrace=$(realpath "${2:-build/release/app/cli/millrace}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT
g++ -O2 -std=c++20 -I. -o "$work/serve" experiments/remote-data/serve.cpp -pthread
mapfile -t files < <(find "$photos" -name '*.jpg' | sort)
for i in $(seq 0 1999); do
  folder=$work/photos/class$((i % 10))
  mkdir -p "$folder"
  cp "${files[i % ${#files[@]}]}" "$folder/$(printf %05d "$i").jpg"
done
"$millrace" inspect "$work/photos" -o "$work/p.millrace.json" >/dev/null
"$work/serve" 8131 30 "$work" lab 100 >"$work/log" &
server=$!
until grep -q serving "$work/log"; do kill -0 "$server"; sleep 0.1; done
for block in 1 2 3 4; do
  for hedge in 0 1; do
    AWS_NO_SIGN_REQUEST=1 AWS_ENDPOINT_URL=http://127.0.0.1:8131 no_proxy='*' MILLRACE_REMOTE_HEDGE=$hedge \
      "$millrace" run "$work/p.millrace.json" --data s3://lab/photos --set image_folder.read_ahead=64 \
      --seconds 8 --warmup 3 --repeats 1 --no-store --json | python3 -c '
import json, sys
figures = json.load(sys.stdin)
counts = {k: v for n in figures["nodes"] for k, v in (n.get("counts") or {}).items()}
print("block", sys.argv[1], "second requests", "on " if sys.argv[2] == "1" else "off",
      round(figures["samples_per_second"]["mean"]), "samples/s,", counts.get("requests", 0), "requests,",
      counts.get("requests sent twice", 0), "sent twice")' "$block" "$hedge"
  done
done
