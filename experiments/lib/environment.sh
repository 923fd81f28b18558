# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Python environments of experiments, made by pip. To be sourced.

# environment FOLDER LIST [COMMAND...]: makes FOLDER from a list of requirements, unless it was made
# from the same list. COMMAND, with FOLDER as its last argument, installs what a list cannot express.
# Uses the caller's `python`.
environment() {
  local folder=$1 list=$2
  shift 2
  cmp -s "$list" "$folder/made-from.txt" && return
  echo "making $folder from $list" >&2
  mkdir -p "$(dirname "$folder")"
  "$python" -m venv "$folder" &&
    "$folder/bin/pip" install --quiet --no-cache-dir -r "$list" >&2 &&
    { (($# == 0)) || "$@" "$folder"; } &&
    cp "$list" "$folder/made-from.txt"
}
