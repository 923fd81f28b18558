# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The Debian 12 packages that Millrace needs, and how they are installed. To be sourced.

packages_to_run=(
  cmake ninja-build g++ pkg-config ccache
  libfmt-dev nlohmann-json3-dev libjpeg62-turbo-dev libspng-dev libwebp-dev libtiff-dev libhwy-dev
  libsqlite3-dev libcli11-dev librandom123-dev libisal-dev libmuparser-dev liblmdb-dev libzstd-dev
  libbrotli-dev libbz2-dev libsnappy-dev liblz4-dev libxxhash-dev libhdf5-dev
)
packages_for_workbench=(
  qt6-base-dev qt6-svg-dev qt6-charts-dev libqt6opengl6-dev libgl-dev fonts-dejavu-core
)
# Xvfb, openbox and xdotool are a screen without one, for the test with real mouse and keys; NumPy is
# for the tests of the Python package.
packages_to_test=("${packages_for_workbench[@]}" xvfb openbox xdotool python3 python3-numpy)
packages_to_package=(dpkg-dev file)
packages_to_check_package=(mmdebstrap)
packages_to_wheel=(python3 python3-venv)
packages_for_ci=(
  clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev lld-19 llvm-19 libbenchmark-dev git
)

# Prints those of the named packages that are not installed.
missing_packages() {
  local installed package
  installed=" $(dpkg-query -W -f='${db:Status-Abbrev}:${Package} ' "$@" 2>/dev/null)"
  for package in "$@"; do
    [[ $installed == *" ii :$package "* || $installed == *" hi :$package "* ]] || echo "$package"
  done
}

# Installs what is missing of the named packages. Says what; silent when nothing is missing.
# Without root and sudo it prints the one command to type and fails.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: install what matches these Debian packages yourself: $*" >&2
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -eq 0 ]] && return 0

  local root=()
  if [[ $(id -u) -ne 0 ]]; then
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      root=(sudo)
    else
      echo "Packages are missing, and installing them needs root. Type this, then try again:" >&2
      echo "  su -c 'apt-get update && apt-get install -y --no-install-recommends ${missing[*]}'" >&2
      return 1
    fi
  fi
  echo "Installing from the distribution: ${missing[*]}"
  install_packages "${missing[@]}"
}

# apt-get's chatter goes to a log that is shown when it fails. Uses the caller's `root`.
install_packages() {
  local log
  log=$(mktemp)
  if ! { "${root[@]}" apt-get update &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    echo "Installing failed; the end of apt-get's output is above." >&2
    return 1
  fi
  rm -f "$log"
}
