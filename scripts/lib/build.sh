# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Configures, builds and tests a preset with little output. To be sourced in the project's root.

# Compiled objects are shared between checkouts in different folders.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
# What ccache needs to keep objects that were compiled with a precompiled header.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

# configure_preset PRESET [CMAKE ARGUMENT...]: configures, unless the build folder has been configured
# in this way since the presets last changed.
configure_preset() {
  local preset=$1 stamp=build/$1/configured_with log
  if [[ -f build/$preset/build.ninja && $stamp -nt CMakePresets.json &&
    $(cat "$stamp") == "$*" ]]; then
    return 0
  fi
  mkdir -p "build/$preset"
  log=build/$preset/configure.log
  if ! cmake --preset "$@" >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  echo "$*" >"$stamp"
}

# Whether CMake will find nvcc: checks the places that cmake/MillraceCuda.cmake checks.
has_nvcc() {
  local place
  command -v nvcc >/dev/null && return
  for place in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda; do
    [[ -x $place/bin/nvcc ]] && return
  done
  return 1
}

# configured WITH...: whether build/release was configured in one of these ways.
configured() {
  local now way
  now=$(cat build/release/configured_with 2>/dev/null) || return 1
  for way in "$@"; do [[ $now == "$way" ]] && return 0; done
  return 1
}
# Without an NVIDIA driver the device code cannot run, and takes 100 CPU-seconds of a first build.
has_nvidia_driver() { [[ -e /dev/nvidiactl || -e /proc/driver/nvidia/version ]]; }
for_this_machine=
has_nvidia_driver || for_this_machine=' -DMILLRACE_CUDA=OFF'

# Precompiled headers make a first build shorter. scripts/test does without, so that ccache can serve it.
# Another compiler may warn where ours does not; that must not keep people from building the programs.
for_programs='-DMILLRACE_TESTS=OFF -DMILLRACE_PCH=ON -DMILLRACE_WERROR=OFF'
program_only="release -DMILLRACE_WORKBENCH=OFF $for_programs$for_this_machine"
with_workbench="release $for_programs$for_this_machine"

# For both programs; a folder configured by scripts/test also works.
configure_for_programs() {
  # shellcheck disable=SC2086  # The words are separate arguments.
  configured release "$with_workbench" || configure_preset $with_workbench
}

# build_preset PRESET [TARGET...]: prints nothing if there is nothing to do; on a terminal, one line that is updated.
build_preset() {
  local preset=$1 terminal=0 status
  shift
  [[ -t 1 ]] && terminal=1
  NINJA_STATUS='[%f/%t] ' ninja -C "build/$preset" -j "$(nproc)" "$@" 2>&1 |
    awk -v terminal=$terminal -v preset="$preset" '
      /^ninja: (Entering directory|no work to do)/ || /^-- / || /Re-checking globbed/ { next }
      /Re-running CMake/ { next }
      /^\[[0-9]+\/[0-9]+\] / {
        if (!started++) { print "Building (" preset ")"; fflush() }
        if (terminal) { printf "\r\033[K%s", substr($0, 1, 78); fflush(); moving = 1 }
        next
      }
      { if (moving) { printf "\r\033[K"; moving = 0 } print }
      END { if (moving) printf "\r\033[K" }'
  status=${PIPESTATUS[0]}
  return "$status"
}

# test_preset PRESET [CTEST ARGUMENT...]: runs the tests, prints the output of those that fail, and sets
# `passed`, `failed` and `skipped` (test functions, not programs) for the caller. Up to ten programs
# that fail beside others run once more alone, because a program may get no processor for seconds on a
# shared machine. They are named even if they then pass. One program more than there are processors
# runs at a time, because many of them wait for others.
test_preset() {
  local preset=$1 results=build/$1/Testing/Temporary status again log
  shift
  passed=0 failed=0 skipped=0
  rm -f "$results/LastTest.log" "$results/LastTestsFailed.log" "build/$preset/ctest_again.log"
  ctest --test-dir "build/$preset" -j $(($(nproc) + 1)) --output-on-failure "$@" \
    >"build/$preset/ctest.log" 2>&1
  status=$?
  [[ -f $results/LastTest.log ]] &&
    read -r passed failed skipped < <(awk -f scripts/lib/count_tests.awk "$results/LastTest.log")
  if [[ $((passed + failed + skipped)) -eq 0 ]]; then
    echo "No test was run." >&2
    failed=1
    return 1
  fi
  [[ $status -eq 0 && $failed -eq 0 ]] && return 0
  again=$(sed 's/^[0-9]*://' "$results/LastTestsFailed.log" 2>/dev/null | paste -sd ' ')
  if [[ -n $again && $(wc -w <<<"$again") -le 10 ]] &&
    ctest --test-dir "build/$preset" --rerun-failed --output-on-failure \
      >"build/$preset/ctest_again.log" 2>&1; then
    echo "Failed beside other tests, passed alone: $again"
    passed=$((passed + failed)) failed=0
    return 0
  fi
  for log in "build/$preset/ctest.log" "build/$preset/ctest_again.log"; do
    [[ -f $log ]] && grep -v -E \
      '^( +Start +[0-9]|Internal ctest|Test project|.* (Passed|\*\*\*Skipped) +[0-9])' "$log"
  done
  [[ $failed -eq 0 ]] && failed=1
  return 1
}

# The last line of a script.
print_counts() {
  if [[ $skipped -gt 0 ]]; then
    echo "$passed passed, $failed failed, $skipped skipped"
  else
    echo "$passed passed, $failed failed"
  fi
}
