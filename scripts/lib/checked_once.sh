#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Runs a checker of C++ sources (clang-tidy, clazy) on one file, unless it has already passed this check
# with the same preprocessed text, the same compiler options and the same .clang-tidy. Comments, macro
# definitions and include directives belong to the text, because checkers look at them too.
#   checked_once.sh BUILD_FOLDER CHECKER [ARGUMENT...] FILE
# BUILD_FOLDER has compile_commands.json. What passed is kept, an empty file each, in
# ~/.cache/millrace-checks; what was not used for 30 days is removed.
set -u -o pipefail
build=$1
shift
file=${!#}
kept=${XDG_CACHE_HOME:-$HOME/.cache}/millrace-checks

# The file's compile command, as CMake writes it: one line, before the line with the file's name.
command=$(awk -v file="$file" '
  /^ *"command": / { line = $0 }
  index($0, "\"file\": \"" file "\"") { print line; exit }' "$build/compile_commands.json" |
  sed -E 's/^ *"command": "(.*)",?$/\1/; s/\\"/"/g; s/\\\\/\\/g')

# Prints what decides the result. Fails if the file cannot be preprocessed.
text() {
  "$1" --version
  cat .clang-tidy
  printf '%s\n' "${@//$PWD/}" "${command//$PWD/}"
  # Without line markers (-P) and its folder's name, an equal file in another folder has an equal text.
  (cd "$build" && sh -c "${command/ -c / -E -C -P -dD -dI -c } -o -" 2>/dev/null) | sed "s|$PWD||"
}

if [[ -n $command ]] && sum=$(text "$@" | sha256sum); then
  stamp=$kept/${sum%% *}
  if [[ -e $stamp ]]; then
    touch "$stamp"
    exit 0
  fi
fi
"$@" || exit
[[ -n ${stamp-} ]] && mkdir -p "$kept" && : >"$stamp"
find "$kept" -type f -mtime +30 -delete 2>/dev/null
exit 0
