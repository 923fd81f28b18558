#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_manuals.sh SOURCE BUILD MILLRACE [WORKBENCH]: a manual page is installed for the program and
# for each command; each shows every option that --help shows; neither man nor mandoc has anything
# against one; making them again gives the same bytes.
set -u
source=$1 build=$2 millrace=$3 workbench=${4-}
export LC_ALL=C.UTF-8 MANWIDTH=100 QT_QPA_PLATFORM=offscreen
unset MANPAGER
command -v man >/dev/null && command -v mandoc >/dev/null || {
  echo "skipped: no man or no mandoc here (Debian packages man-db and mandoc)"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

cmake --install "$build" --prefix "$folder/prefix" --component program >"$folder/log" 2>&1 ||
  fail "$(cat "$folder/log")"
[[ -z $workbench ]] || cmake --install "$build" --prefix "$folder/prefix" --component workbench \
  >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
pages=$(find "$folder/prefix" -name man1)

# names_of SECTION: the names there of the help on standard input.
names_of() {
  awk -v section="$1:" '/^$|^[A-Z][a-z]*:$/ { on = $0 == section; next }
    on && /^  [^ ]/ { print $1 }' | tr ',' '\n'
}

# shows PAGE COMMAND...: whether the page has the options of this command.
shows() {
  local option page=$1
  shift
  help=$("$millrace" "$@" --help)
  while IFS= read -r option; do
    grep -q -E -e "^ +(-., )?$option( |,|\$)" "$folder/text" || fail "$page lacks $option of '$*'"
    seen=$((seen + 1))
  done < <(names_of Options <<<"$help")
}

# check PAGE COMMAND...
check() {
  local page=$1 file=$pages/$1.1.gz command=${2-} inner said
  [[ -f $file ]] || { fail "$page is not installed"; return; }
  zcat "$file" >"$folder/$page.1"
  said=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$folder/$page.1" 2>&1 >/dev/null)
  [[ -z $said ]] || fail "man on $page: $said"
  said=$(mandoc -T lint -W warning "$folder/$page.1" 2>&1)
  [[ -z $said ]] || fail "mandoc on $page: $said"
  mandoc -T utf8 "$folder/$page.1" | sed 's/.\x08//g' >"$folder/text"
  grep -q '^NAME$' "$folder/text" && grep -q '^SYNOPSIS$' "$folder/text" ||
    fail "$page has no NAME or no SYNOPSIS"
  ! grep -E 'Excludes:|Needs:|REQUIRED|:POSITIVE|:NONNEGATIVE' "$folder/text" ||
    fail "$page shows notes of the parser, in the lines above"
  [[ $page == millrace-workbench ]] && return
  shows "$page" ${command:+"$command"}
  [[ -n $command ]] || return
  for inner in $(names_of Subcommands <<<"$help"); do
    grep -q "^ *millrace $command $inner" "$folder/text" || fail "$page lacks $inner"
    shows "$page" "$command" "$inner"
  done
}

seen=0
check millrace
for command in $(names_of Subcommands <<<"$help"); do check "millrace-$command" "$command"; done
[[ -z $workbench ]] || check millrace-workbench
((seen > 100)) || fail "only $seen options were looked for"

date=$(zcat "$pages/millrace.1.gz" | sed -n 's/^\.TH [^ ]* 1 \([^ ]*\) .*/\1/p')
bash "$source/scripts/lib/make_manuals.sh" "$date" "$folder/again" "$millrace" \
  ${workbench:+"$workbench"}
for file in "$folder"/again/*.gz; do
  name=$(basename "$file")
  cmp "$file" "$pages/$name" || fail "$name has other bytes when made again"
done
[[ $failed -eq 0 ]] && echo "$seen options are shown in $(ls "$pages" | wc -l) pages"
exit $failed
