#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Rates of the same pipeline on local files and on a server that answers after a delay.
#   experiments/remote-data/run.sh PHOTOS [MILLRACE]
# PHOTOS: a folder with JPEG files. 2000 files in ten class folders are made of them. The figures go to
# results.csv in this folder.
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
"$millrace" convert "$work/photos" "$work/shards" --to webdataset --shard-size 32M >/dev/null

# rate DATA: samples per second, and the counters of the source.
rate() {
  AWS_NO_SIGN_REQUEST=1 AWS_ENDPOINT_URL=http://127.0.0.1:8130 no_proxy='*' \
    "$millrace" run "$work/$1.millrace.json" --data "$2" --seconds 15 --warmup 10 --repeats 1 --no-store \
    --json "${@:3}" | python3 -c '
import json, sys
figures = json.load(sys.stdin)
nodes = figures["nodes"]
counts = {k: v for n in nodes for k, v in (n.get("counts") or {}).items()}
print(round(figures["samples_per_second"]["mean"]), counts.get("requests", 0), counts.get("retries", 0), sep=",")'
}

results=experiments/remote-data/results.csv
echo "data,server,delay_ms,read_ahead,samples_per_second,requests,retries" >"$results"
for data in photos shards; do
  "$millrace" inspect "$work/$data" -o "$work/$data.millrace.json" >/dev/null
  source=image_folder
  [[ $data == photos ]] || source=webdataset
  echo "$data,local,0,0,$(rate "$data" "$work/$data")" | tee -a "$results"
  for delay in 0 30 150; do
    "$work/serve" 8130 "$delay" "$work" lab >"$work/log" &
    server=$!
    until grep -q serving "$work/log"; do kill -0 "$server"; sleep 0.1; done
    for ahead in 0 64; do
      echo "$data,own,$delay,$ahead,$(rate "$data" "s3://lab/$data" --set "$source.read_ahead=$ahead")" | tee -a "$results"
    done
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
  done
done
