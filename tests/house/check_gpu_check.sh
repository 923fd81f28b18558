#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# scripts/gpu-check on machines with a GPU that are made of scripts: what it finds, keeps to and says.
set -u
source_tree=$(cd "${1:?usage: $0 TREE}" && pwd) || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# script FILE: an executable of the text on standard input.
script() {
  mkdir -p "$(dirname "$1")"
  { echo '#!/usr/bin/env bash' && cat; } >"$1"
  chmod +x "$1"
}

# A doctor's report; GPU, FOUND and TROUBLE are what a case sets.
fake_doctor() {
  cat <<'DOCTOR'
if [[ $1 == run ]]; then
  case $2:${MILLRACE_GPU_FIGURES-} in
  *on_a_gpu*:0) rate=2000 ;;
  *step_alone*) rate=1000 ;;
  *trains*) rate=980 ;;
  *) rate=1990 ;;
  esac
  cat <<JSON
{
  "batches_per_second": {
    "mean": 7
  },
  "nodes": [
    {
      "busy_seconds": 3,
      "bytes_out": 1,
      "kind": "decode"
    },
    {
      "busy_seconds": 2.0,
      "bytes_out": 40000000000,
      "kind": "transfer"
    }
  ],
  "samples_per_second": {
    "ci95_high": null,
    "mean": $rate.5
  }
}
JSON
  exit
fi
[[ $1 == doctor ]] || exit 1
[[ ${2-} == --json ]] || { echo "the report, with $LD_LIBRARY_PATH" && exit 0; }
cat <<JSON
{
  "cuda": {
    "GPU 0": "${GPU:-NVIDIA H100 80GB HBM3}, compute capability 9.0"
  },
  "gpu": true,
  "gpu_report": {
    "libraries": {
      "libcudnn": {
        "found": ${FOUND:-true},
        "trouble": ${TROUBLE:-null}
      },
      "libcublas": {
        "found": true,
        "trouble": null
      },
      "libnccl": {
        "found": false,
        "trouble": null
      },
      "libnvjpeg": {
        "found": true,
        "trouble": null
      }
    },
    "watched": "${GPU:-NVIDIA H100 80GB HBM3}"
  }
}
JSON
DOCTOR
}

# An unpacked archive of scripts/gpu-bundle.
make_bundle() {
  rm -rf "${scratch:?}"/*
  bundle=$scratch/millrace-gpu
  mkdir -p "$bundle/lib" "$scratch/path" "$scratch/work"
  cp "$source_tree/scripts/gpu-check" "$bundle/"
  cp "$source_tree"/scripts/lib/gpu_*.sh "$bundle/lib/"
  fake_doctor | script "$bundle/bin/millrace"
  local program
  for program in tests_gpu tests_core_kernels tests_core_transfer; do
    script "$bundle/tests/$program" <<<'[[ $1 == -classes ]] && printf "tst_device\ntst_nvjpeg\n" && exit
echo "PASS   : $1::works()"; exit "${TEST_STATUS:-0}"'
  done
  script "$bundle/tests/bench_device_pass" <<'BENCH'
for each; do [[ $each == --benchmark_out=* ]] && exec > >(tee "${each#*=}"); done
rates=(devicePass/10/6 2.4e+12 deviceCopy/10/6 3e+12 devicePass/15/6 1e+12 deviceCopy/15/6 2e+12
  pinnedCopy 2.5e+10)
for ((i = 0; i < ${#rates[@]}; i += 2)); do
  printf '      "name": "%s/manual_time",\n      "bytes_per_second": %s,\n' "${rates[@]:i:2}"
done
echo "devicePass/10/6/manual_time 1 ns bytes_per_second=2.4T/s"
BENCH
  echo "glibc=2.17" >"$bundle/bundle"
}

# A Python whose packages are NVIDIA's libraries and compute-sanitizer.
make_python() {
  local site=$scratch/site/nvidia
  mkdir -p "$site/cudnn/lib" "$site/cublas/lib" "$site/empty/lib" "$site/cu13/bin"
  touch "$site/cudnn/lib/libcudnn.so.9" "$site/cublas/lib/libcublas.so.13"
  script "$site/cu13/bin/compute-sanitizer" <<<'
echo "========= Error: Device not supported. Please refer to the \"Supported Devices\" section"; exit 1'
  script "$scratch/path/python3" <<<'PYTHONPATH='"$scratch/site"' exec '"$(command -v python3)"' -S "$@"'
}

# run [ARGUMENT...]: what gpu-check says, and its status.
run() {
  said=$(cd "$scratch/work" && env -u CUDA_HOME -u CUDA_PATH "${with[@]}" \
    PYTHON="$scratch/path/python3" "$bundle/gpu-check" "$@" 2>&1)
  status=$?
}

# holds WHAT STATUS TEXT...: the last run ended so, and said each text; !TEXT: did not.
holds() {
  local what=$1 wanted=$2 text good=1
  shift 2
  [[ $status -eq $wanted ]] || good=0
  for text in "$@"; do
    if [[ $text == !* ]]; then
      [[ $said != *"${text#!}"* ]] || good=0
    else
      [[ $said == *"$text"* ]] || good=0
    fi
  done
  if [[ $good -eq 1 ]]; then
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
  printf '%s: wanted status %s and: %s\ngot %s and:\n%s\n' "$what" "$wanted" "$*" "$status" "$said"
}

with=(LD_LIBRARY_PATH=/first)
make_bundle
make_python
run --only tests
holds "libraries among a Python's packages" 0 \
  "also searched for libraries: $scratch/site/nvidia/cudnn/lib" \
  "with /first:$scratch/site/nvidia/cublas/lib:$scratch/site/nvidia/cudnn/lib" '!empty/lib' \
  'not checked: NCCL, which was not found' '!cuDNN' 'tst_device: 1 passed'

with=(FOUND=false)
run --only tests
holds 'a library that is not found' 0 'not checked: cuDNN, which was not found'
with=('TROUBLE="libcudnn.so.9 cannot be loaded: libz"' GPU=NVIDIA\ A10)
run --only tests
holds 'a library of no use' 0 'not checked: cuDNN: libcudnn.so.9 cannot be loaded: libz'

said=$(cd "$scratch/work/experiments/gpu-check" && grep -c '^gpu-check,' -- *)
status=0
holds 'separate result files per GPU' 0 "A10-$(date +%Y-%m-%d).txt:1" \
  "H100-80GB-HBM3-$(date +%Y-%m-%d).txt:2"

with=(A=1)
run --only memcheck
holds 'a device that the sanitizer does not support' 0 \
  'not checked: memcheck: compute-sanitizer does not support this device' '!FAILED' '!tst_device_nodes:'
run --only racecheck --class tst_device
holds 'one class under a tool' 0 'compute-sanitizer does not support' '!tst_device_pass'

run --class tst_device
holds 'one class' 0 'tst_device: 1 passed' '!tst_nvjpeg' '!memcheck'
run --class tst_none
holds 'a class that does not exist' 1 'tst_none is not a test class'
with=(TEST_STATUS=3)
run --class tst_device
holds 'a class that fails' 1 'failed: tests: tst_device ended with status 3'

with=(A=1)
run --only bench --only overlap
holds 'ratios of the benchmark, and of loader and step together' 0 \
  'devicePass/10/6 / a copy of the same bytes: 0.800, as wanted (0.8)' \
  'devicePass/15/6 / a copy of the same bytes: 0.500, less than wanted (0.8)' \
  'loader alone 1990.5, step alone 1000.5, together 980.5' \
  'together / the slower alone: 0.980, as wanted (0.97)' '!FAILED'
run --only pipelines
holds 'what a transfer and watching the GPU cost' 1 \
  "a pipeline's transfer / a copy from pinned memory, bytes per second: 0.800, less than wanted" \
  'median of 5 pairs: 0.995, as wanted (0.995)'
run --only dali
holds 'no DALI' 0 'not checked: dali: nvidia-dali, which no Python on this machine has'

script "$bundle/tests/tests_core_transfer" <<<'sleep 60'
run --minutes 1 --class tst_device_nodes
holds 'a minute is too short for what may take three' 0 \
  'not checked: tests: tst_device_nodes: no time' '!FAILED'

# Of the compiler's libraries the machine's own where they are new enough.
make_bundle
make_python
mkdir "$bundle/lib-gcc"
echo 'glibc_of_gcc=2.18' >>"$bundle/bundle"
run --only tests
holds 'no separate libstdc++' 0 "with $bundle/lib-gcc:" "tst_device: 1 passed"
script "$scratch/path/ldd" <<<'[[ $1 == --version ]] && echo "ldd 2.17" && exit
echo "  libstdc++.so.6 => '"$scratch"'/own.so (0x1)"'
with=("PATH=$scratch/path:$PATH")
echo 'GLIBCXX_3.4.29' >"$scratch/own.so"
run --only tests
holds 'one that is too old, on a C library that is too old' 1 'is 2.17, and the archive needs 2.18'
echo 'GLIBCXX_3.4.30' >"$scratch/own.so"
run --only tests
holds 'one that is new enough' 0 '!lib-gcc' 'tst_device: 1 passed'

# How long a program may run.
time_of() {
  said=$(
    source "$source_tree/scripts/lib/gpu_run.sh"
    results=/dev/null output=$scratch/output deadline=$((SECONDS + $1))
    shift
    "$@"
    echo "status ${status-none}"
  )
  status=$?
}
time_of 70 time_for 180
holds 'a limit that passes the deadline is clamped' 0 $'60\n'
time_of 69 time_for 180
holds 'less than a third is not begun' 0 $'0\n'
time_of 1000 time_for 180
holds 'a limit before the deadline stays' 0 $'180\n'
time_of 11 run_for 2 sleep 60
holds 'what the deadline cut off had no time' 0 'status no time'
time_of 1000 run_for 1 sleep 60
holds 'what passes its own limit did not' 0 'status 124'

with=(A=1)
run --minutes none
holds 'wrong words' 2 'usage'
run --only everything
holds 'a part that does not exist' 2 'usage'

echo "Totals: $passed passed, $failed failed, 0 skipped"
[[ $failed -eq 0 ]]
