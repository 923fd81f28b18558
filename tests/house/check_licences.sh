#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Every file has a licence and a copyright line, in its head or in REUSE.toml, and LICENSES has the
# text of each licence: `reuse lint`. Skipped where no `reuse` of version 4.0 or later is found;
# scripts/check-licences installs one.
house=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$house/lib.sh"
source "$house/../../scripts/lib/licences.sh"

if ! reuse=$(find_reuse "$PWD"); then
  echo "skipped: no reuse of version 4.0 or later here; scripts/check-licences installs it"
  exit 77
fi
# The tree may be another user's, as in a container.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

offences() {
  local output status
  output=$("$reuse" lint --lines 2>&1)
  status=$?
  [[ -n $output ]] && echo "$output"
  [[ $status -ne 0 && -z $output ]] && echo "$reuse lint ended with status $status"
}
offences | verdict
