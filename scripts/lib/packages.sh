# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The Debian 12 packages that Millrace needs, and their installation. To be sourced.

packages_to_run=(
  cmake ninja-build g++ pkg-config ccache
  libfmt-dev nlohmann-json3-dev libjpeg62-turbo-dev libspng-dev libwebp-dev libtiff-dev libhwy-dev
  libsqlite3-dev libcli11-dev librandom123-dev libisal-dev libmuparser-dev liblmdb-dev libzstd-dev
  libbrotli-dev libbz2-dev libsnappy-dev liblz4-dev libxxhash-dev libhdf5-dev
  libcurl4-openssl-dev libssl-dev
  libgif-dev libavif-dev libheif-dev libjxl-dev libopenjp2-7-dev liblcms2-dev
  libboost-dev libeigen3-dev libdlpack-dev libprotozero-dev
)
packages_for_workbench=(
  qt6-base-dev qt6-svg-dev qt6-charts-dev libqt6opengl6-dev libgl-dev fonts-dejavu-core
)
# Xvfb, openbox and xdotool provide a virtual screen for the test with real mouse and keys; dbus-daemon
# is for its notifications; NumPy and Pillow are for tests with Python; man-db, mandoc and appstream
# check what the package installs; a server on this machine answers what `millrace --on` asks of ssh, and
# another one what is asked of a web server; Open MPI and Slurm start several processes as one run.
packages_to_test=("${packages_for_workbench[@]}" xvfb openbox xdotool dbus-daemon python3
  python3-numpy python3-pil python3-venv man-db mandoc appstream openssh-server openssh-client nginx-light
  openssl openmpi-bin slurmctld slurmd slurm-client munge)
packages_to_package=(dpkg-dev file)
packages_to_check_package=(mmdebstrap)
# For the sources of the libraries in the wheel: nasm is for their vector code, tcl writes SQLite's source.
packages_to_wheel=(python3 python3-venv dpkg-dev nasm tcl)
# For an environment into which pip installs reuse: Debian 12's own is too old for REUSE.toml.
packages_to_check_licences=(python3 python3-venv git)
packages_for_docs=(python3 python3-venv)
packages_for_ci=(
  clang-19 clang-tidy-19 clazy clang-format-19 libclang-rt-19-dev lld-19 llvm-19 libbenchmark-dev git
)

# Prints the given packages that are neither installed nor provided by an installed one.
missing_packages() {
  local installed package
  installed=" $(dpkg-query -W -f='${db:Status-Abbrev}|${Package}, ${Provides}\n' |
    awk -F '|' '/^[ih]i/ { gsub(/ \([^)]*\)|,/, "", $2); printf "%s ", $2 }')"
  for package in "$@"; do
    [[ $installed == *" $package "* ]] || echo "$package"
  done
}

# debian_archives deb|deb-src: Debian's own archives, one on each line of a sources.list, as configured for
# apt on this machine. The security archive stands last: of equal versions apt takes the first, and that
# archive drops the sources of versions that the main archive has.
debian_archives() {
  # shellcheck disable=SC2016  # Names of apt's, not of the shell.
  apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' \
    'Created-By: Packages' |
    awk -F'|' -v kind="$1" '$1 == "Debian" { print kind, $2, $3, $4 }' | sort -ru
}

# Installs the missing ones of the given packages and lists them; prints nothing if none is missing.
# Without root and sudo, it prints the command to type and fails.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian. Install the equivalents of these Debian packages yourself: $*" >&2
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
      echo "Installing missing packages needs root. Type this, then try again:" >&2
      echo "  su -c 'apt-get update && apt-get install -y --no-install-recommends ${missing[*]}'" >&2
      return 1
    fi
  fi
  echo "Installing from the distribution: ${missing[*]}"
  install_packages "${missing[@]}"
}

# apt-get's output goes to a log that is shown if it fails. Uses the caller's `root`.
install_packages() {
  local log status
  log=$(mktemp)
  run_apt "$log" update && run_apt "$log" install -y --no-install-recommends "$@"
  status=$?
  if [[ $status -ne 0 ]]; then
    tail -n 30 "$log" >&2
    echo "Installing failed; the end of apt-get's output is above." >&2
  fi
  rm -f "$log"
  return $status
}

# How long to wait for another package manager, such as the automatic updates after a start.
lock_wait_seconds=600

# run_apt LOG ARGUMENT...: apt-get. While another package manager holds one of the locks it waits and
# tries again; apt's own DPkg::Lock::Timeout leaves out the lock of the package lists.
run_apt() {
  local log=$1 begin=$SECONDS waits=0 holder
  shift
  while ! "${root[@]}" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    apt-get "$@" >"$log" 2>&1 </dev/null; do
    grep -q -E 'Could not get lock|was locked by another process' "$log" || return 1
    ((SECONDS - begin < lock_wait_seconds)) || return 1
    if [[ $waits -eq 0 ]]; then
      holder=$(sed -nE \
        '/Could not get lock/s/.*held by process ([0-9]+)( \((.*)\))?.*/\3, process \1/p' "$log")
      echo "Waiting for another package manager to finish${holder:+: ${holder#, }}"
      waits=1
    fi
    sleep 1
  done
}
