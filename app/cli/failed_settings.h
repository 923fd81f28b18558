// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// "2 settings failed" with the first few of `failures`, "setting: why" each, behind an empty line;
/// empty where none did.
std::string failedSettingLines(const std::vector<std::string>& failures);

}  // namespace millrace::cli
