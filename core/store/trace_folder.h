// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace millrace {

/// Entry of a traced run's environment: the file of its trace, as an absolute path.
inline constexpr std::string_view kTraceFileFact = "trace_file";

/// The folder for traces that belong to a store's runs and are removed with them, next to the
/// store: "runs.traces". Traces in other places belong to the user.
inline std::filesystem::path traceFolder(const std::filesystem::path& store) {
  std::filesystem::path folder = store;
  return folder.replace_extension(".traces");
}

}  // namespace millrace
