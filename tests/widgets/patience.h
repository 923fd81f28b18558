// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/sanitizers.h"

namespace millrace::tests {

/// Everything that is waited for comes soon on any machine; after this time the test has failed.
inline constexpr int kGenerousMs = 120000;

/// The longest time for which the event loop may do nothing else, too short to be noticed. The
/// sanitizers' code takes several times as long.
inline constexpr double kMostStallMs = kSanitized ? 250 : 50;

}  // namespace millrace::tests
