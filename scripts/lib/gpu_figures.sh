# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The ratios of gpu-check: of two figures measured in alternation, next to the target. To be sourced. A
# ratio that misses its target is reported, but is not a failure.

# rate_in FILE: samples per second, from the JSON of a run.
rate_in() { sed -n '/^  "samples_per_second": {/,/^  }/s/.*"mean": \([0-9][0-9.e+]*\).*/\1/p' "$1"; }

# Bytes copied by the node `transfer`, divided by its busy seconds.
transfer_rate_in() {
  awk '/"busy_seconds":/ { busy = $2 + 0 } /"bytes_out":/ { bytes = $2 + 0 }
    /"kind": "transfer"/ && busy > 0 { printf "%.0f\n", bytes / busy; exit }' "$1"
}

# bench_rate_in FILE NAME: bytes per second of a benchmark, from Google Benchmark's JSON.
bench_rate_in() {
  awk -v name="\"$2\"," '/"name":/ { here = $2 == name }
    here && /"bytes_per_second":/ { printf "%.0f\n", $2 + 0; exit }' "$1"
}

quotient() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.3f", a / b }'; }
smaller_of() { awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'; }
median() { sort -g | awk '{ all[NR] = $1 } END { if (NR) print all[int((NR + 1) / 2)] }'; }

# say_ratio NAME RATIO WANTED
say_ratio() {
  local word='as wanted'
  awk -v ratio="$2" -v wanted="$3" 'BEGIN { exit !(ratio < wanted) }' && word='less than wanted'
  say "  $1: $2, $word ($3)"
}

# measure NAME FILE [OPTION...]: sets `rate` to a pipeline's samples per second. Its report is only in
# $output, because there are many.
measure() {
  local name=$1 file=$2 kept=/dev/null
  shift 2
  rate=''
  run_for "$pipeline_limit" "$program" run "$file" --no-store --json --warmup 2 --seconds 5 \
    --repeats 1 "$@"
  ended_well "$name" || return
  rate=$(rate_in "$output")
  [[ -n $rate ]] || fail "$name" "reported no rate"
  [[ -n $rate ]]
}

# The cost of monitoring the GPU: five pairs of runs, one of each monitored, in alternating order.
check_watching() {
  local pair each name='the GPU watched' ratios='' rates=()
  for pair in 1 2 3 4 5; do
    for each in $((pair % 2)) $((1 - pair % 2)); do
      MILLRACE_GPU_FIGURES=$each measure "$name" "$pipeline" || return
      rates[each]=$rate
    done
    ratios+=$(quotient "${rates[1]}" "${rates[0]}")$'\n'
  done
  say_ratio "$name / not monitored, samples per second, median of 5 pairs" \
    "$(printf '%s' "$ratios" | median)" 0.995
}

# The pixel pass compared with a copy of the same number of bytes, from $folder/bench.json.
say_bench_ratios() {
  local name pass copy
  while read -r name; do
    pass=$(bench_rate_in "$folder/bench.json" "$name")
    copy=$(bench_rate_in "$folder/bench.json" "${name/devicePass/deviceCopy}")
    [[ -n $pass && -n $copy ]] &&
      say_ratio "${name%/manual_time} / a copy of the same bytes" "$(quotient "$pass" "$copy")" 0.8
  done < <(sed -n 's/^ *"name": "\(devicePass[^"]*\)",$/\1/p' "$folder/bench.json")
}

# A pipeline's transfer compared with a plain copy from pinned memory.
check_transfer() {
  local name="a pipeline's transfer" kept=/dev/null copy moved
  run_for "$bench_limit" "$bench" --benchmark_filter=pinnedCopy --benchmark_format=json
  ended_well pinnedCopy || return
  copy=$(bench_rate_in "$output" pinnedCopy/manual_time)
  measure "$name" "$pipeline" || return
  moved=$(transfer_rate_in "$output")
  if [[ -z $copy || -z $moved ]]; then
    fail "$name or pinnedCopy" "reported no bytes"
    return
  fi
  say_ratio "$name / a copy from pinned memory, bytes per second" "$(quotient "$moved" "$copy")" 0.95
}

# The loader alone, the step alone, and both together: which share of the slower rate is reached.
check_overlap() {
  local alone step
  measure 'the loader alone' "$pipeline" || return
  alone=$rate
  measure 'the step alone' "$step_alone" || return
  step=$rate
  measure 'both together' "$training" || return
  say "  samples per second: loader alone $alone, step alone $step, together $rate"
  say_ratio 'together / the slower alone' "$(quotient "$rate" "$(smaller_of "$alone" "$step")")" 0.97
}

# The first Python that has DALI.
find_dali() {
  local python
  for python in ${PYTHON:+"$PYTHON"} python3 python; do
    timeout -k 1 60 "$python" -c 'import nvidia.dali' 2>/dev/null && echo "$python" && return
  done
  return 1
}

# DALI's mixed pipeline and ours on the same files, in alternation.
check_dali() {
  local python turn share theirs='' rates=() files=$folder/photos
  python=$(find_dali) || { leave_out "nvidia-dali, which no Python on this machine has" && return; }
  run_for "$pipeline_limit" "$program" sample-data "$files" --kind imagenet --count 500
  ended_well 'drawing photos' || return
  for turn in 1 2 3; do
    run_for "$pipeline_limit" "$python" "$dali_rate" "$files/train"
    ended_well "DALI, turn $turn" || return
    theirs+=$(sed -n 's/.*"samples_per_second": \([0-9.e+]*\).*/\1/p' "$output")$'\n'
    for share in 0 100; do
      [[ $share -eq 0 || $has_nvjpeg -eq 1 ]] || continue
      measure "ours with $share % by nvJPEG" "$pipeline" --set "photos.paths=$files" \
        --set "decode.gpu_share=$share" || return
      rates[share]+=$rate$'\n'
    done
  done
  theirs=$(printf '%s' "$theirs" | median)
  for share in "${!rates[@]}"; do
    rate=$(printf '%s' "${rates[share]}" | median)
    say "  DALI $theirs samples per second, ours with $share % of decoding by nvJPEG $rate:" \
      "$(quotient "$rate" "$theirs") times"
  done
}
