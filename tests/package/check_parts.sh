#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# check_parts.sh SOURCE: each optional library has a source that stands in for it, and it compiles.
# scripts/check-parts builds and tests the whole command line without any of them.
cd "$1" || exit 1
exec scripts/check-parts --quick
