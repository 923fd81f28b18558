// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::tests {

/// What is waited for comes soon on any machine; a test that waits so long has failed.
inline constexpr int kGenerousMs = 120000;

}  // namespace millrace::tests
