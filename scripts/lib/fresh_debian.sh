# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# A fresh Debian in a temporary folder, and checks in it. To be sourced in the project's root, after
# packages.sh, as root. Sets `work`, a folder that is removed at the end, `root` and `log` in it, and the
# counts that print_counts prints.
work=$(mktemp -d) && trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root log=$work/log
# shellcheck disable=SC2034  # skipped: for print_counts.
passed=0 failed=0 skipped=0

# make_root RELEASE PACKAGE...: replaces `root`, with a user named person. It is made from the archives that
# this machine's apt uses, with apt's settings, such as a proxy.
make_root() {
  local release=$1 sources=$work/sources.list way=$work/apt.conf
  shift
  apt-get update >"$log" 2>&1
  if [[ $release == "$(. /etc/os-release && echo "$VERSION_CODENAME")" ]]; then
    debian_archives deb >"$sources"
  else
    debian_archives deb | awk -v release="$release" '$2 ~ /\/debian\/?$/ { print $1, $2, release, $4 }' |
      sort -u >"$sources"
  fi
  apt-config dump | grep -E '^Acquire::(Check-|ForceIPv|Retries|https?::)' >"$way"
  rm -rf --one-file-system "$root"
  mmdebstrap --variant=minbase --format=directory --aptopt="$way" \
    --include="$(IFS=, && echo "$*")" "$release" "$root" "$sources" >"$log" 2>&1 || return 1
  cp /etc/hosts /etc/resolv.conf "$root/etc/"
  chroot "$root" useradd --create-home person
}

# Call it if make_root fails.
no_root() {
  echo "No fresh Debian could be made; the end of the output:" >&2
  tail -n 20 "$log" >&2
  exit 1
}

# inside COMMAND...: runs as root of the fresh Debian; as_person: as a user.
inside() {
  unshare --mount --pid --fork --kill-child --root="$root" --wd=/ --mount-proc \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}
as_person() {
  inside setpriv --reuid=person --regid=person --init-groups \
    env -C /home/person HOME=/home/person QT_QPA_PLATFORM=offscreen "$@"
}

# check SENTENCE COMMAND...: checks that it is true; on failure prints the end of COMMAND's output.
check() {
  local sentence=$1
  shift
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    echo "passed: $sentence"
  else
    failed=$((failed + 1))
    echo "FAILED: $sentence"
    tail -n 8 "$log" | sed 's/^/        /'
  fi
}

# says WORDS COMMAND...: whether COMMAND succeeds and one line of its output equals WORDS.
says() {
  local words=$1 said
  shift
  said=$("$@") || return 1
  echo "$said"
  grep -Fxq "$words" <<<"$said"
}
