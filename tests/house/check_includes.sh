#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Libraries stay in their place: no Qt in core and in the command line, nothing of widgets under
# Apache-2.0, nlohmann-json's large header in no header of ours, CUDA in its rooms.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# forbid REASON REGEX PATHSPEC...: the include lines that match, in the files named.
forbid() {
  local reason=$1 regex=$2
  shift 2
  project_files "$@" | xargs -r -d '\n' grep -HnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$regex" |
    sed "s|\$|  ($reason)|"
}

offences() {
  forbid 'no Qt here' '(Q[A-Z]|Qt|qt|q[a-z]+\.h)' 'core/*' 'app/cli/*'
  forbid 'widgets is GPL, this is not' 'widgets/' 'core/*' 'app/cli/*'
  forbid 'knowledge flows from app to widgets' 'app/' 'widgets/*'
  forbid 'json_fwd.hpp in headers' 'nlohmann/json\.hpp' 'core/*.h' 'app/*.h'
  forbid 'no spdlog in headers' 'spdlog/' 'core/*.h' 'app/*.h'
  forbid 'only core/cuda and kernels see CUDA' 'cuda_runtime' 'app/*' 'widgets/*'
  forbid 'only core/cuda and kernels see CUDA' 'cuda_runtime' 'core/*' |
    grep -v -E '^core/(cuda|kernels)/'
}
offences | verdict
