// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// Where the data is that a source's path parameter names: relative paths start at `base` (the
/// pipeline file's folder), `sample:NAME` is generated sample data, made when it is not there yet
/// (CONTRACT §1). The error is a sentence with the remedy.
Result<std::filesystem::path> resolveDataPath(const std::string& text,
                                              const std::filesystem::path& base);

}  // namespace millrace
