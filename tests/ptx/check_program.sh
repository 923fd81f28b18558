#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_program.sh PROGRAM SOURCES: the command line program on the device in software, as a user
# would run it on a machine with a GPU.
set -u
program=$1 pipelines=$2/tests/gpu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config
export XDG_CACHE_HOME=$folder/cache XDG_STATE_HOME=$folder/state MILLRACE_BACKEND=cuda
passed=0 failures=0

# says WORDS COMMAND...: it ends well and prints the words.
says() {
  local words=$1 status
  shift
  "$@" >"$folder/output" 2>&1
  status=$?
  if [[ $status -ne 0 ]] || ! grep -q -e "$words" "$folder/output"; then
    echo "FAILED: $* ended with $status, and is to say: $words"
    cat "$folder/output"
    failures=$((failures + 1))
  else
    passed=$((passed + 1))
  fi
}

"$program" sample-data "$folder/photos" --count 24 >/dev/null || exit 1
small=(--data "$folder/photos/train" --set batch.size=4 --set crop.height=24 --set crop.width=20)
brief=(--no-store --warmup 0 --repeats 1 --batches 5)

says 'GPU 0 *PTX in software' "$program" doctor
says 'copy to the GPU, \[crop + flip + normalise\]' \
  "$program" plan "$pipelines/on_a_gpu.millrace.json" "${small[@]}"
says 'copy to the GPU' "$program" check "$pipelines/on_a_gpu.millrace.json" "${small[@]}"
says '20 samples in 5 batches' "$program" run "$pipelines/on_a_gpu.millrace.json" "${small[@]}" \
  "${brief[@]}" --trace "$folder/trace.json"
for thread in transfer:copy transfer:work; do
  says "$thread" cat "$folder/trace.json"
done
says '20 samples in 5 batches' env MILLRACE_CUDA_SYNC=1 "$program" run \
  "$pipelines/on_a_gpu.millrace.json" "${small[@]}" "${brief[@]}"
for precision in f16 bf16 f32; do
  says '^  loss .* at the end' "$program" run "$pipelines/trains_on_a_gpu.millrace.json" \
    "${small[@]}" --no-store --warmup 0 --repeats 1 --batches 3 --set step.network=custom --set step.width=8 \
    --set "step.precision=$precision" --set step.classes=10
done

# A GPU that is older than what was compiled for.
export MILLRACE_PTX_CAPABILITY=60
if "$program" check "$pipelines/on_a_gpu.millrace.json" "${small[@]}" >"$folder/output" 2>&1 ||
  ! grep -q 'this build has no kernels for' "$folder/output"; then
  echo "FAILED: a GPU without kernels is not refused"
  cat "$folder/output"
  failures=$((failures + 1))
else
  passed=$((passed + 1))
fi
echo "Totals: $passed passed, $failures failed, 0 skipped"
exit "$((failures > 0))"
