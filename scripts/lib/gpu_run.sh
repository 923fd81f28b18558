# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Runs programs for gpu-check and keeps their output. To be sourced; uses `results`, `output` and
# `deadline`, which is empty or the value of SECONDS at the end of the time.

say() { echo "$*" | tee -a "$results"; }

failures=() not_checked=() part=''
fail() {
  failures+=("${part:+$part: }$*")
  say "  FAILED: $*"
}

# Records each reason once.
leave_out() {
  local each what="${part:+$part: }$*"
  for each in "${not_checked[@]}"; do [[ $each == "$what" ]] && return; done
  not_checked+=("$what")
}

# The number of seconds that a program gets of those that it wants; 0: do not start it. With less than a
# third, it would only be cut off. Some seconds are reserved for the last lines.
time_for() {
  local left
  [[ -n ${deadline-} ]] || { echo "$1" && return; }
  left=$((deadline - SECONDS - 10))
  ((left * 3 >= $1)) || { echo 0 && return; }
  echo $((left < $1 ? left : $1))
}

# run_for SECONDS COMMAND...: writes the output to the results as it comes (to $kept if the caller sets
# it) and to the file $output, and the exit code to `status`, or "no time".
run_for() {
  local wanted=$1
  limit=$(time_for "$wanted")
  shift
  : >"$output"
  if ((limit == 0)); then
    status='no time'
    return
  fi
  timeout -k 5 "$limit" "$@" 2>&1 | tee -a "${kept:-$results}" >"$output"
  status=${PIPESTATUS[0]}
  [[ $status == 124 || $status == 137 ]] && ((limit < wanted)) && status='no time'
}

# ended_well NAME: whether the last program succeeded; otherwise reports how it ended, and its output.
ended_well() {
  local told='^FAIL!|(ERROR|RACECHECK) SUMMARY: [1-9]'
  case $status in
  0) return 0 ;;
  'no time')
    leave_out "$1: no time"
    return 1 ;;
  124 | 137) fail "$1" "timed out after $limit s" ;;
  *) fail "$1" "ended with status $status" ;;
  esac
  if grep -q -E "$told" "$output"; then
    grep -E -A 3 "$told|^=========" "$output" | head -n 60
  else
    tail -n 20 "$output"
  fi
  return 1
}
