# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The parts of gpu-check. To be sourced; they run `test_folder`, `pipeline` and `training`.

# Test classes that need a device, as PROGRAM/CLASS, without those whose library is missing and those
# that were not requested.
find_classes() {
  local class
  classes=(tests_core_kernels/tst_device_pass tests_core_kernels/tst_device_kernels
    tests_core_transfer/tst_device_nodes tests_core_transfer/tst_device_trace
    tests_core_transfer/tst_transfer)
  run_for "$doctor_limit" "$test_folder/tests_gpu" -classes
  ended_well "the list of tests_gpu" || return
  while read -r class; do
    [[ $class == tst_nvjpeg && $has_nvjpeg -eq 0 ]] ||
      [[ $class == tst_gpu_watch && $watched -eq 0 ]] || classes+=("tests_gpu/$class")
  done <"$output"
  [[ ${#only_classes[@]} -eq 0 ]] || keep_named_classes
}

keep_named_classes() {
  local all=("${classes[@]}") class named
  classes=()
  for named in "${only_classes[@]}"; do
    for class in "${all[@]}"; do
      [[ ${class#*/} == "$named" ]] && classes+=("$class") && continue 2
    done
    fail "$named" "is not a test class that can run here; valid are ${all[*]#*/}"
  done
}

# check_class PROGRAM/CLASS SECONDS [COMMAND...]: runs a test class under COMMAND in a separate process
# and prints its totals in one line. Everything that can run on both devices runs on the real one.
check_class() {
  local program_of=${1%/*} class=${1#*/} passed bad skipped
  shift
  MILLRACE_TEST_BACKEND=cuda run_for "$@" "$test_folder/$program_of" "$class"
  if [[ $status != 'no time' ]]; then
    read -r passed bad skipped < <(awk '
      /::(init|cleanup)TestCase\(\)$/ && /^PASS/ { next }
      /^PASS   : / { p++ } /^FAIL!  : / { f++ } /^SKIP   : / { s++ }
      END { print p + 0, f + 0, s + 0 }' "$output")
    say "  $class: $passed passed, $bad failed, $skipped skipped"
    sed -n -E 's/^SKIP *: *[^ ]+ */    skipped: /p' "$output" | sort | uniq -c | sort -rn | head -n 5
  fi
  refused_by_sanitizer && return
  ended_well "$class" || return
  [[ $passed -gt 0 || $cuda_works -eq 0 ]] || fail "$class" "passed nothing"
}

check_tests() {
  local class
  for class in "${classes[@]}"; do check_class "$class" "$test_limit"; done
}

check_bench() {
  run_for "$bench_limit" "$bench" --benchmark_out="$folder/bench.json" --benchmark_out_format=json
  ended_well bench_device_pass || return
  cat "$output"
  if grep -q 'ERROR OCCURRED' "$output" || ! grep -q '^devicePass.*bytes_per_second' "$output"; then
    fail bench_device_pass "measured nothing; see the lines above"
    return
  fi
  say_bench_ratios
}

# run_pipeline NAME FILE [OPTION...]
run_pipeline() {
  local name=$1 file=$2
  shift 2
  say "  $name"
  run_for "$pipeline_limit" "$program" run "$file" --no-store --warmup 2 --seconds 5 \
    --repeats 3 --trace "$folder/trace.json" "$@"
  ended_well "$name" && cat "$output"
}

check_pipelines() {
  local share precision by_cpu='pictures by the CPU' by_gpu='pictures by nvJPEG'
  if run_pipeline "$by_cpu" "$pipeline"; then
    share=$(tail -n 1 "$folder/trace.json" | sed -n 's/.*"copy_overlap_share":\([0-9.]*\).*/\1/p')
    if [[ -n $share ]]; then
      say "  copies overlap with work on the device: $share of the shorter of the two"
    else
      fail "$by_cpu" "left a trace without copies and work on the device"
    fi
  fi
  if [[ $has_nvjpeg -eq 1 ]] && run_pipeline "$by_gpu" "$pipeline" --set decode.gpu_share=100; then
    grep -q -E '^ *[1-9][0-9 ]* JPEG by nvJPEG$' "$output" || fail "$by_gpu" "were none"
  fi
  for precision in f16 bf16 f32; do
    run_pipeline "training in $precision" "$training" --set "step.precision=$precision" || continue
    grep -q -E '^  loss .* at the end' "$output" || fail "training in $precision" "took no step"
    grep -q -E '^  trained by .*no cu' "$output" && leave_out "training by cuDNN and cuBLAS"
  done
  check_transfer
  [[ $watched -eq 0 ]] || check_watching
}

# Whether the last program reported that compute-sanitizer does not support this device, which is not a
# failure of the tested program.
refused_by_sanitizer() {
  [[ $status != 0 ]] && grep -q -i '^=========.*device not supported' "$output"
}

# check_sanitizer TOOL. Leaves out a class that never calls CUDA, which the sanitizer reports as an
# error, and findings in nvJPEG's own kernels, which are not ours.
check_sanitizer() {
  local sanitizer class options=(--tool "$1" --error-exitcode 9)
  if ! sanitizer=$(find_sanitizer); then
    leave_out "compute-sanitizer, of the CUDA Toolkit, was not found"
    return
  fi
  # A test requests more memory than exists, on purpose.
  [[ $1 == memcheck ]] && options+=(--report-api-errors no)
  say "  by $sanitizer"
  for class in "${classes[@]}"; do
    [[ $class == */tst_gpu_watch || ($class == */tst_nvjpeg && $1 != memcheck) ]] && continue
    MILLRACE_TEST_SLOWED=1 check_class "$class" "$sanitizer_limit" "$sanitizer" "${options[@]}"
    if refused_by_sanitizer; then
      leave_out "compute-sanitizer does not support this device"
      return
    fi
  done
}

check_part() {
  [[ ${#only[@]} -eq 0 || " ${only[*]} " == *" $1 "* ]] || return
  [[ $cuda_works -eq 1 || $1 == tests ]] || return
  say
  say "$1"
  part=$1
  case $1 in
  tests) check_tests ;;
  bench) check_bench ;;
  pipelines) check_pipelines ;;
  overlap) check_overlap ;;
  dali) check_dali ;;
  *) check_sanitizer "$1" ;;
  esac
  part=''
}
