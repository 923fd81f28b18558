#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Every source starts with the two-line SPDX head (after a script's first line), with the licence
# of its place: GPL-3.0-or-later in widgets and app/workbench, Apache-2.0 elsewhere. Every header may
# be included twice.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# What follows speaks of heads and is none: REUSE-IgnoreStart
offences() {
  project_files '*.cpp' '*.h' '*.hpp' '*.cu' '*.cuh' '*.inc' '*.def' '*.sql' '*.cmake' \
    'CMakeLists.txt' '*/CMakeLists.txt' '*.sh' '*.bash' '*.awk' '*.supp' '*.py' \
    'scripts/*' '.ci/*' 'tests/house/*' |
    grep -v -E '\.(md|json|png)$|^tests/core/export/golden/' |
    xargs -r -d '\n' awk '
    function judge() {
      if (!file) return
      licence = file ~ /^(widgets|app\/workbench)\// ? "GPL-3.0-or-later" : "Apache-2.0"
      if (head !~ /SPDX-FileCopyrightText: [0-9]+ The Millrace developers\n/)
        print file ": no SPDX-FileCopyrightText line at its head"
      else if (head !~ "SPDX-License-Identifier: " licence "\n")
        print file ": its SPDX-License-Identifier must be " licence
    }
    FNR == 1 { judge(); file = FILENAME; head = ""; first = /^#!/ ? 2 : 1 }
    FNR == first || FNR == first + 1 { head = head $0 "\n" }
    END { judge() }'
  # REUSE-IgnoreEnd
  project_files '*.cpp' '*.h' '*.def' '*.sql' | while IFS= read -r file; do
    [[ -s $file ]] || echo "$file: is empty"
  done
  project_files '*.h' '*.hpp' '*.cuh' | xargs -r -d '\n' grep -L -E '^#(pragma once|ifndef)' |
    sed 's/$/: has no #pragma once/'
}
offences | verdict
