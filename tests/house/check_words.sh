#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Phrases of word_list.txt do not occur in comments, string literals and Markdown files.
house=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
list=$house/word_list.txt

# Generated files, and files whose text is data or belongs to others.
# docs/style.md lists the phrases.
excluded='^(LICENSES/|docs/style\.md|resources/help/nodes\.md|tests/house/word_list\.txt|tests/house/check_(words|checks)\.sh|tests/core/export/golden/|tests/fuzz/seeds/)'

# Prints `FILE:LINE: phrase: write instead`. Consecutive comment lines and paragraphs are one text, so
# that a line break hides nothing.
phrases() {
  awk -v list="$list" '
    BEGIN {
      while ((getline line < list) > 0) {
        if (line ~ /^#/ || line !~ /\|/) continue
        count++
        split(line, part, " [|] ")
        bare[count] = part[1]
        instead[count] = part[2]
        except[count] = part[3]
        pattern[count] = "[^a-z](" part[1] ")[^a-z]"
        all = all (count > 1 ? "|" : "") "(" part[1] ")"
      }
      all = "[^a-z](" all ")[^a-z]"
    }
    function check(text, at,    i, rest, offset, around) {
      text = " " tolower(text) " "
      gsub(/[ \t]+/, " ", text)
      if (text !~ all) return
      for (i = 1; i <= count; i++) {
        rest = text
        offset = 0
        while (match(rest, pattern[i])) {
          around = substr(text, offset + RSTART > 30 ? offset + RSTART - 30 : 1, RLENGTH + 60)
          if (except[i] == "" || around !~ except[i])
            print named ":" at ": `" substr(rest, RSTART + 1, RLENGTH - 2) "`: " instead[i]
          offset += RSTART + RLENGTH - 2
          rest = substr(rest, RSTART + RLENGTH - 1)
        }
      }
    }
    function flush() {
      if (block != "") check(block, first)
      block = ""
    }
    # Joins lines of the same kind: comments, strings or paragraphs.
    function add(text, of) {
      if (block == "" || of != joined) {
        flush()
        first = FNR
        joined = of
        named = FILENAME
      }
      block = block (of == "string" ? "" : " ") text
    }
    # The contents of string literals and the trailing comment of a line of C++.
    function parts(line,    text, quote, i, c) {
      text = ""
      quote = 0
      for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (quote) {
          if (c == "\\") i++
          else if (c == "\"") { quote = 0; text = text " \001 " }
          else text = text c
        } else if (c == "\"" && substr(line, i - 1, 3) != "\047\"\047") quote = 1
        else if (c == "/" && substr(line, i, 2) == "//") return text " \001 " substr(line, i + 2)
      }
      return text
    }
    FNR == 1 {
      flush()
      kind = FILENAME ~ /\.(h|cpp|cu|cuh|def|js)$/ ? "c" : FILENAME ~ /\.md$/ ? "md" : "sh"
      fenced = 0
    }
    /words: ok/ { flush(); next }
    kind == "md" {
      if ($0 ~ /^ *```/) fenced = !fenced
      if (fenced || $0 ~ /^ *$/ || $0 ~ /^ *```/) flush()
      else add($0, "paragraph")
      next
    }
    kind == "c" {
      if (match($0, /^ *\/\/[\/!]?<?/)) add(substr($0, RSTART + RLENGTH), "comment")
      else if ($0 ~ /^ *"([^"\\]|\\.)*"[;,)]*$/) {
        gsub(/^ *"|"[;,)]*$/, "")
        add($0, "string")
      } else {
        flush()
        if ($0 ~ /["\/]/) { named = FILENAME; check(parts($0), FNR) }
      }
      next
    }
    {
      if (match($0, /^ *#!?/)) add(substr($0, RSTART + RLENGTH), "comment")
      else { flush(); named = FILENAME; check($0, FNR) }
    }
    END { flush() }' "$@"
}

offences() {
  project_files '*.h' '*.cpp' '*.cu' '*.cuh' '*.md' '*.sh' '*.cmake' '*CMakeLists.txt' '*.py' 'scripts/*' |
    grep -vE "$excluded" | xargs -r -d '\n' grep -Il . |
    { mapfile -t files; ((${#files[@]} == 0)) || phrases "${files[@]}"; }
}
offences | verdict
