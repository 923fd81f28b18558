#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Makes the manual pages from what the programs print for --help.
#   make_manuals.sh DATE FOLDER MILLRACE [WORKBENCH]
# DATE: that of the version, YYYY-MM-DD. FOLDER gets millrace.1, a page for each command such as
# millrace-run.1, and with WORKBENCH millrace-workbench.1, all compressed by gzip. Earlier pages are
# removed.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
date=$1 folder=$2 millrace=$3 workbench=${4-}
export LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen

# The names below `Subcommands:` of the help on standard input.
commands_of() {
  awk '/^$|^[A-Z][a-z]*:$/ { on = /^Subcommands:/; next } on && /^  [a-z]/ { print $1 }'
}

# make PAGE SEE: from standard input.
make() {
  awk -v page="$1" -v version="$version" -v date="$date" -v see="$2" -f "$here/make_manual.awk" \
    >"$folder/$1.1"
}

mkdir -p "$folder"
rm -f "$folder"/millrace*.1 "$folder"/millrace*.1.gz
version=$("$millrace" --version)
help=$("$millrace" --help)
mapfile -t commands < <(commands_of <<<"$help")
[[ ${#commands[@]} -gt 0 ]] || { echo "$millrace --help lists no commands" >&2; exit 1; }
pages=("${commands[@]/#/millrace-}")
make millrace "${pages[*]} ${workbench:+millrace-workbench}" <<<"$help"
for command in "${commands[@]}"; do
  help=$("$millrace" "$command" --help)
  {
    echo "$help"
    for inner in $(commands_of <<<"$help"); do
      echo "@ $command $inner"
      "$millrace" "$command" "$inner" --help
    done
  } | make "millrace-$command" millrace
done
if [[ -n $workbench ]]; then
  "$workbench" --help 2>/dev/null | make millrace-workbench millrace
fi
# Without name and time, so that equal pages are compressed to equal bytes.
gzip -9nk "$folder"/millrace*.1
