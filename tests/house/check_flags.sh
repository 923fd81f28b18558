#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Messages of core name settings, as "the setting `max_failures`", because the workbench and Python show
# them too. The command line prints that as its flag (app/cli/common/flag_names.h). A whole command,
# "`millrace run --trace FILE`", may be named anywhere. Excepted: exported code, the help of nodes,
# and what starts the program.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

excepted='^core/(export/|spec/catalog_text\.cpp$|jobs/search/process_trial\.cpp$|jobs/run/(ranked_run_job|measure_flags)\.cpp$)'

offences() {
  project_files 'core/*.h' 'core/*.cpp' | grep -vE "$excepted" |
    xargs -r -d '\n' awk '
      /^ *\/\// { next }
      {
        line = $0
        sub(/ \/\/.*$/, "", line)
        gsub(/`millrace [^`]*`/, "", line)
        if (match(line, /"([^"]*[ (`])?--[a-z][a-z-]*/))
          print FILENAME ":" FNR ": names a flag; write: the setting `NAME`"
      }'
}
offences | verdict
