# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# To be sourced in the project's root, after packages.sh and build.sh.
parts=build/portable/parts

# build_portable [CMAKE ARGUMENT...]: builds the engine, the command line and its manual pages for every
# Linux with glibc 2.28 or newer, in build/portable. The first time, it builds the libraries from Debian's
# sources, which takes minutes. Installs missing packages and lists them.
build_portable() {
  ensure_packages "${packages_to_run[@]}" "${packages_to_wheel[@]}" || return 1
  mkdir -p build/portable
  scripts/lib/portable/sysroot "$parts" 2.28 && scripts/lib/portable/libraries "$parts" &&
    configure_preset portable "$@" &&
    build_preset portable millrace_library millrace millrace_manuals
}
