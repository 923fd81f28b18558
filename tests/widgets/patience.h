// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::tests {

/// Everything that is waited for comes soon on any machine; after this time the test has failed.
inline constexpr int kGenerousMs = 120000;

}  // namespace millrace::tests
