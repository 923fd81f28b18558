# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Finds libraries, tools and the GPU of a machine for gpu-check. To be sourced; `here` is
# gpu-check's folder and `program` millrace.

# Folders of NVIDIA's libraries and tools among the packages of the first Python that has any, for
# example from PyTorch's wheels.
python_nvidia_folders() {
  local python folders
  for python in ${PYTHON:+"$PYTHON"} python3 python; do
    command -v "$python" >/dev/null || continue
    folders=$(timeout -k 1 20 "$python" -c '
import glob, os, sys
seen = []
for place in filter(None, sys.path):
    for folder in sorted(glob.glob(os.path.join(glob.escape(place), "nvidia", "*"))):
        if glob.glob(os.path.join(glob.escape(folder), "lib", "*.so*")) or os.path.isdir(
            os.path.join(folder, "bin")):
            if folder not in seen:
                seen.append(folder)
                print(folder)
' 2>/dev/null)
    [[ -n $folders ]] && echo "$folders" && return
  done
}

# After the existing entries: the machine's own choice comes first.
add_to_library_path() { export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$1; }

# Sets `packaged` to the folders, and adds those with libraries to the dynamic linker's path.
find_packaged_libraries() {
  local folder
  mapfile -t packaged < <(python_nvidia_folders)
  packaged_libraries=()
  for folder in "${packaged[@]}"; do
    compgen -G "$folder/lib/*.so*" >/dev/null || continue
    packaged_libraries+=("$folder/lib")
    add_to_library_path "$folder/lib"
  done
}

# The machine's own compiler libraries are used if they are new enough, because those of the archive
# require a newer C library than everything else in it.
choose_compiler_libraries() {
  local own
  own=$(ldd "$program" 2>/dev/null | awk '$1 == "libstdc++.so.6" && $3 ~ /^\// { print $3 }')
  c_library_key=glibc
  [[ -d $here/lib-gcc ]] || return
  [[ -n $own ]] && grep -q -a -F GLIBCXX_3.4.30 "$own" && return
  c_library_key=glibc_of_gcc
  add_to_library_path "$here/lib-gcc"
}

# A program that requires a newer C library would end with a message that names no remedy.
check_c_library() {
  local needed found
  needed=$(sed -n "s/^$c_library_key=//p" "$here/bundle")
  found=$(ldd --version | awk 'NR == 1 { print $NF }')
  if [[ -n $needed && $(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -n 1) != "$needed" ]]; then
    echo "gpu-check: this machine's C library is $found, and the archive needs $needed: make the" \
      "archive on a distribution that is as old as this one, or run it in a Debian 12 container" >&2
    exit 1
  fi
}

# library_state NAME: `found`, or why it cannot be used, from the report.
library_state() {
  local said
  said=$(sed -n "/\"$1[^\"]*\": {/,/}/p" <<<"$report")
  if [[ $said != *'"found": true'* ]]; then
    echo "was not found"
  elif [[ $said != *'"trouble": null'* ]]; then
    sed -n 's/.*"trouble": "\(.*\)".*/\1/p' <<<"$said"
  else
    echo found
  fi
}

# doctor's report on CUDA, NVIDIA's management library and nvJPEG decides what can be checked.
read_report() {
  local cuda
  report=$(timeout -k 5 "$doctor_limit" "$program" doctor --json 2>&1)
  cuda=$(sed -n '/^  "cuda": {/,/^  }/p' <<<"$report")
  cuda_works=0 has_nvjpeg=0 watched=0
  grep -q '^ *"GPU [0-9]*":' <<<"$cuda" && ! grep -q '^ *"device": "none' <<<"$cuda" && cuda_works=1
  grep -q '^ *"watched": "' <<<"$report" && watched=1
  [[ $(library_state libnvjpeg) == found ]] && has_nvjpeg=1
}

# "H100-80GB-HBM3", as part of a file's name; CUDA's first device.
gpu_model() {
  local name
  name=$(sed -n 's/^ *"GPU 0": "\([^,"]*\).*/\1/p' <<<"$report" | head -n 1)
  [[ -n $name ]] || name=$(sed -n 's/^ *"watched": "\(.*\)".*/\1/p' <<<"$report" | head -n 1)
  name=${name#NVIDIA }
  name=${name//[^A-Za-z0-9._]/-}
  echo "${name:-no-gpu}"
}

# If NVIDIA's management library and the driver find no GPU, there is none; otherwise CUDA has failed.
blame_cuda() {
  grep -q '^  "gpu": true' <<<"$report" || ! grep -q -E 'no NVIDIA driver|finds no GPU' <<<"$report" ||
    return
  fail CUDA "does not work; millrace doctor shows the reason"
}

# The machine's own nvJPEG, otherwise the archive's.
choose_nvjpeg() {
  local packed
  packed=$(compgen -G "$here/nvjpeg/libnvjpeg.so.*")
  [[ $has_nvjpeg -eq 0 && -n $packed ]] || return
  export MILLRACE_NVJPEG=$packed
  read_report
}

look_at_machine() {
  local folder library state
  say "machine"
  for folder in "${packaged_libraries[@]}"; do say "  also searched for libraries: $folder"; done
  run_for "$doctor_limit" "$program" doctor
  cat "$output"
  [[ $status == [01] ]] || ended_well doctor # 1: a folder that cannot be written
  [[ $cuda_works -eq 1 ]] || blame_cuda
  for library in libnvjpeg:nvJPEG libcudnn:cuDNN libcublas:cuBLAS libnccl:NCCL; do
    state=$(library_state "${library%:*}")
    case $state in
    found) ;;
    'was not found') leave_out "${library#*:}, which was not found" ;;
    *) leave_out "${library#*:}: $state" ;;
    esac
  done
  [[ $watched -eq 1 ]] || leave_out "figures of the GPU, which could not be monitored"
}

# compute-sanitizer on the PATH, of a toolkit, of the archive, of a Python's packages.
find_sanitizer() {
  local place
  command -v compute-sanitizer && return
  for place in "${CUDA_HOME:-}"/bin "${CUDA_PATH:-}"/bin /usr/local/cuda/bin /usr/local/cuda-*/bin \
    "$here"/sanitizer "${packaged[@]/%//bin}"; do
    [[ -x $place/compute-sanitizer ]] && echo "$place/compute-sanitizer" && return
  done
  return 1
}
