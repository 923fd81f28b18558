// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::tests {

/// Everything that is waited for comes soon on any machine; after this time the test has failed.
inline constexpr int kGenerousMs = 120000;

/// The longest time for which the event loop may do nothing else, too short to be noticed. The
/// sanitizers' code takes several times as long.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr double kMostStallMs = 250;
#else
inline constexpr double kMostStallMs = 50;
#endif
#else
inline constexpr double kMostStallMs = 50;
#endif

}  // namespace millrace::tests
