# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# How gpu-check runs a program and keeps what it says. To be sourced; uses `results`, `output` and
# `deadline`, which is empty or what SECONDS will be when the time is over.

say() { echo "$*" | tee -a "$results"; }

failures=() not_checked=() part=''
fail() {
  failures+=("${part:+$part: }$*")
  say "  FAILED: $*"
}

# Once each, however many programs say so.
leave_out() {
  local each what="${part:+$part: }$*"
  for each in "${not_checked[@]}"; do [[ $each == "$what" ]] && return; done
  not_checked+=("$what")
}

# Seconds that a program may have of the SECONDS that it would like; 0: it is not worth beginning.
# One that has less than a third would only be cut off. Some are left for the last lines.
time_for() {
  local left
  [[ -n ${deadline-} ]] || { echo "$1" && return; }
  left=$((deadline - SECONDS - 10))
  ((left * 3 >= $1)) || { echo 0 && return; }
  echo $((left < $1 ? left : $1))
}

# run_for SECONDS COMMAND...: what it prints goes to the results (to $kept where a caller says so) as
# it comes, and to the file $output, how it ended to `status`: a number, or "no time".
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

# ended_well NAME: whether the last program did; else says how it ended, and what it said.
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
