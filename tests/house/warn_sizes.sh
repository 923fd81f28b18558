#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Names the sources over 400 lines and the headers over 200. A hint to look for the second idea in
# them, never a failure. Not named are those that are better whole:
#   app/capi/millrace.h: a program includes one file, and bindings read it
#   core/kernels/device/device_pass_tile.h: the block of one kernel, whose phases share all members
#   tests/ptx/runtime_streams.cpp: streams and events are ordered by one table, under one lock
whole='^(app/capi/millrace\.h|core/kernels/device/device_pass_tile\.h|tests/ptx/runtime_streams\.cpp)$'
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

project_files 'core/*' 'app/*' 'widgets/*' 'tests/*' | grep -E '\.(cpp|h|cu|cuh)$' | grep -vE "$whole" |
  xargs -r -d '\n' awk '
    { lines[FILENAME] = FNR }
    END {
      for (file in lines)
        if (lines[file] > (file ~ /\.(h|cuh)$/ ? 200 : 400))
          print "long: " file " has " lines[file] " lines"
    }' | LC_ALL=C sort
exit 0
