# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# What the house checks share. To be sourced; the check's first argument is the tree to look at.
set -u
cd "${1:?usage: $0 TREE}" || exit 2

# Every file that is, or on the next commit would be, part of the project; of those named by the
# patterns when some are given. A tree without git is taken whole but for its build folder.
project_files() {
  if [[ -e .git ]] && command -v git >/dev/null; then
    git -c safe.directory='*' ls-files --cached --others --exclude-standard -- "$@"
  else
    find . -type f -not -path './build/*' | sed 's|^\./||' | matching "$@"
  fi | while IFS= read -r file; do [[ -f $file ]] && echo "$file"; done | LC_ALL=C sort
}

# Git's pathspecs here are plain globs, in which * crosses folders.
matching() {
  [[ $# -eq 0 ]] && { cat; return; }
  local file pattern
  while IFS= read -r file; do
    for pattern in "$@"; do
      # shellcheck disable=SC2053  # The right side is a pattern.
      [[ $file == $pattern ]] && { echo "$file"; break; }
    done
  done
}

# Prints the offences it reads on standard input and the count that scripts/test reads.
verdict() {
  local offences=0 line
  while IFS= read -r line; do
    echo "$line"
    offences=$((offences + 1))
  done
  if [[ $offences -eq 0 ]]; then
    echo "Totals: 1 passed, 0 failed, 0 skipped"
  else
    echo "Totals: 0 passed, 1 failed, 0 skipped"
    return 1
  fi
}

[[ -n $(project_files | head -n 1) ]] || { echo "no files found below $PWD"; exit 2; }
