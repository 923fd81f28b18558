# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# millrace_automoc(TARGET): moc writes what its Qt classes need. It is not given the folders of other
# projects' headers: it would read them all for macros that none of our classes use, which takes 0.5 s
# for a source instead of 0.01 s, and print the same.
function(millrace_automoc target)
  set(script ${PROJECT_BINARY_DIR}/moc.sh)
  get_target_property(millrace_moc Qt6::moc LOCATION)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/moc.sh.in ${script} @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE ${script})
endfunction()
