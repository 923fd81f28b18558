#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_apt_lock.sh SOURCE: while another package manager holds a lock, installing packages waits,
# prints one line, and continues when the lock is free; it gives up at its limit, and at once for any other
# failure. With the real apt-get, in folders of this test alone: nothing of the system is touched.
set -u
source=$1
for tool in apt-get python3; do
  command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
folder=$(mktemp -d)
holder=''
trap '[[ -z $holder ]] || kill "$holder"; rm -rf "$folder"' EXIT
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

mkdir -p "$folder"/{etc,cache/archives/partial,log} "$folder"/state/lists/partial "$folder/dpkg"
: >"$folder/etc/sources.list"
cat >"$folder/dpkg/status" <<STATUS
Package: present
Status: install ok installed
Architecture: all
Version: 1.0
Maintainer: none
Description: a package that is installed
STATUS
cat >"$folder/apt.conf" <<CONF
Dir::Etc "$folder/etc";
Dir::Cache "$folder/cache";
Dir::State "$folder/state";
Dir::State::status "$folder/dpkg/status";
Dir::Log "$folder/log";
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$folder/apt.conf
source "$source/scripts/lib/packages.sh"
root=()
mkfifo "$folder/said" "$folder/ready"

# hold FILE: another process locks it, as apt and dpkg do, until it is killed.
hold() {
  python3 - "$1" >"$folder/ready" <<'PYTHON' &
import fcntl, signal, sys

with open(sys.argv[1], "w") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    print("locked", flush=True)
    signal.pause()
PYTHON
  holder=$!
  read -r _ <"$folder/ready"
}
release() {
  kill "$holder"
  wait "$holder" 2>/dev/null
  holder=''
}

# waits_for FILE: while it is locked.
waits_for() {
  local line='' rest installing
  hold "$1"
  install_packages present >"$folder/said" 2>&1 &
  installing=$!
  exec 3<"$folder/said"
  read -r -t 120 line <&3
  [[ $line == 'Waiting for another package manager to finish: '*", process $holder" ]] ||
    fail "$1 is locked, and the output is: $line"
  release
  rest=$(cat <&3)
  exec 3<&-
  wait "$installing" || fail "$1 was locked, and installing failed afterwards"
  [[ -z $rest ]] || fail "$1 was locked, and more was printed: $rest"
}

said=$(install_packages present 2>&1) || fail "nothing is locked, and installing fails: $said"
[[ -z $said ]] || fail "nothing is locked, and this was printed: $said"
waits_for "$folder/state/lists/lock"
waits_for "$folder/dpkg/lock-frontend"
waits_for "$folder/dpkg/lock"

hold "$folder/dpkg/lock-frontend"
lock_wait_seconds=0
said=$(install_packages present 2>&1) && fail "a lock that is held for ever is no failure"
[[ $said == *'Could not get lock'*'Installing failed'* ]] || fail "the output at the limit: $said"
release

lock_wait_seconds=600
said=$(install_packages there_is_no_such_package 2>&1) && fail 'a missing package is no failure'
[[ $said != *Waiting* && $said == *'Unable to locate package'* ]] || fail "a missing package: $said"
[[ $failed -eq 0 ]] && echo 'waits for the locks of lists, frontend and dpkg'
exit $failed
