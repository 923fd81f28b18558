// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// An empty line, "2 settings failed", and the first few of `failures`, each as "setting: why".
/// Empty if none failed.
std::string failedSettingLines(const std::vector<std::string>& failures);

}  // namespace millrace::cli
