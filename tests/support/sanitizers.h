// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::tests {

// Which sanitizer this build has; only clang builds have one.
#ifdef __has_feature
inline constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool kAddressSanitizer = false;
inline constexpr bool kThreadSanitizer = false;
#endif

/// The code of a sanitizer takes several times as long.
inline constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

}  // namespace millrace::tests
