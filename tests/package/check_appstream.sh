#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_appstream.sh SOURCE BUILD: the workbench's description for software catalogues is valid, and
# names the desktop entry, the program, the icon and the file type that are installed with it.
set -u
source=$1 build=$2
command -v appstreamcli >/dev/null || {
  echo "skipped: no appstreamcli here (Debian package appstream)"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}
cmake --install "$build" --prefix "$folder" --component workbench >"$folder/log" 2>&1 ||
  fail "$(cat "$folder/log")"
file=$folder/share/metainfo/org.millrace.Workbench.metainfo.xml
appstreamcli validate --no-net --strict "$file" || fail "$file is not valid"

# value TAG: the text of its first element.
value() { sed -n "s:.*<$1[^>]*>\([^<]*\)</.*:\1:p" "$file" | head -n 1; }
entry=$folder/share/applications/$(value launchable)
[[ -f $entry ]] || fail "there is no desktop entry $(value launchable)"
grep -qx "Exec=$(value binary) %F" "$entry" || fail "the entry does not start $(value binary)"
[[ -x $folder/bin/$(value binary) ]] || fail "there is no program $(value binary)"
grep -qx "Icon=$(value icon)" "$entry" || fail "the entry has another icon than $(value icon)"
grep -q "MimeType=$(value mediatype);" "$entry" || fail "the entry has no $(value mediatype)"
grep -qx "Comment=$(value summary)" "$entry" || fail "the summaries differ"
version=$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' "$file")
wanted=$(sed -n 's/^project(Millrace VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
[[ -n $version && $version == "$wanted" ]] || fail "the release is $version, not $wanted"
exit $failed
