#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Every reference resolves: relative links of Markdown pages (file and heading), pages of docs/ that
# a source or a page names, and files of the project that a page of docs/ names in backticks. No
# citation of a document that is not in the project is left.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Prints `LINE: TARGET` for each relative link of a page, with #ANCHOR; not those in code.
links_of() {
  awk '
    /^ *(```|~~~)/ { code = !code; next }
    code { next }
    {
      gsub(/`[^`]*`/, "")
      while (match($0, /\]\([^()<> ]+( "[^"]*")?\)/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
        sub(/ ".*/, "", target)
        if (target !~ /^([a-z]+:|\/\/)/) print FNR ": " target
      }
    }
    /^\[[^]]+\]: / && $2 !~ /^[a-z]+:/ { print FNR ": " $2 }' "$1"
}

# The anchors that a page has: of its headings as GitHub and MkDocs make them, and its own.
anchors_of() {
  awk '
    /^ *(```|~~~)/ { code = !code; next }
    code { next }
    {
      line = $0
      while (match(line, /(id|name)="[^"]+"/)) {
        anchor = substr(line, RSTART, RLENGTH - 1)
        sub(/^[a-z]+="/, "", anchor)
        print anchor
        line = substr(line, RSTART + RLENGTH)
      }
    }
    /^#+ / {
      sub(/^#+ +/, "")
      $0 = tolower($0)
      gsub(/[^a-z0-9_ -]/, "")
      gsub(/ /, "-")
      print
    }' "$1"
}

declare -A anchors
has_anchor() {
  [[ -v anchors[$1] ]] || anchors[$1]=$'\n'$(anchors_of "$1")$'\n'
  [[ ${anchors[$1]} == *$'\n'"$2"$'\n'* ]]
}

# WHERE TARGET ANCHOR. `scripts/docs` writes the pages in docs/api and docs/nodes.
must_resolve() {
  [[ $2 == docs/api/* || $2 == docs/nodes/* ]] && return
  if [[ ! -e $2 ]]; then
    echo "$1: there is no $2"
  elif [[ -n $3 && $2 == *.md ]] && ! has_anchor "$2" "$3"; then
    echo "$1: $2 has no heading for #$3"
  fi
}

broken_links() {
  local page link line target anchor folder
  while IFS= read -r page; do
    folder=$(dirname "$page")
    while IFS= read -r link; do
      line=${link%%: *} target=${link#*: } anchor=
      [[ $target == *#* ]] && anchor=${target#*#} target=${target%%#*}
      if [[ -z $target ]]; then
        target=$page
      else
        target=$(realpath -m --relative-to=. "$folder/$target")
      fi
      must_resolve "$page:$line" "$target" "$anchor"
    done < <(links_of "$page")
  done < <(project_files '*.md')
}

# Pages named anywhere, as docs/look.md or docs/workbench.md#undo.
broken_names() {
  local hit where name
  while IFS= read -r hit; do
    where=${hit%:docs/*} name=docs/${hit##*:docs/}
    must_resolve "$where" "${name%%#*}" "$([[ $name == *#* ]] && echo "${name#*#}")"
  done < <(project_files | grep -v -E '^tests/house/check_(references|checks)\.sh$' |
             xargs -r -d '\n' grep -HIno -E '\bdocs/[a-z_/-]+\.md(#[a-z0-9_-]+)?' /dev/null)
}

# Files named in backticks in the pages of docs/: `core/analysis/verdict.h`.
broken_files() {
  local hit name
  while IFS= read -r hit; do
    name=${hit##*:\`}
    name=${name%\`}
    [[ -e $name ]] || echo "${hit%:\`*}: there is no $name"
  done < <(project_files 'docs/*.md' | xargs -r -d '\n' grep -HIno -E \
             '`(core|app|widgets|tests|scripts|resources|experiments|docs)/[A-Za-z0-9_./-]+`' /dev/null)
}

citations() {
  project_files | grep -v -E '^tests/house/check_(references|checks)\.sh$' |
    xargs -r -d '\n' grep -HIno -w -E 'CONTRACT|DESIGN|INTERACTION|HOUSE|LOOK|FIELD\.md' /dev/null |
    sed 's/$/ is a document outside the project: name a page of docs\//'
}

{ broken_links; broken_names; broken_files; citations; } | verdict
