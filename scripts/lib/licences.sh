# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Finding the REUSE tool. To be sourced.

# find_reuse ROOT: prints the first `reuse` that reads REUSE.toml, which is version 4.0 or later:
# that in $MILLRACE_REUSE, that which scripts/check-licences installed below ROOT, that in PATH.
# Debian 12 has version 1.1.
find_reuse() {
  local candidate version
  for candidate in "${MILLRACE_REUSE-}" "$1/build/licences/bin/reuse" "$(type -P reuse)"; do
    [[ -n $candidate && -x $candidate ]] || continue
    version=$("$candidate" --version 2>/dev/null | sed -nE '1s/^reuse,? (version )?([0-9]+)\..*/\2/p')
    ((${version:-0} >= 4)) && echo "$candidate" && return 0
  done
  return 1
}
