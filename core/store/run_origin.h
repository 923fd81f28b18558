// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// The entry in a run's environment that says who took its batches. Absent: the pipeline's own
/// consumer, in a measurement. kTrainingOrigin: a training program that used the engine as its
/// loader, so the rate is what that program asked for. Runs of different origins are not
/// comparable, except that a measured Python file takes batches just as a pipeline's consumer does:
/// kLoaderOrigin, a user's own loader, and kExportOrigin, a file that `millrace export` wrote.
inline constexpr std::string_view kOriginFact = "origin";
inline constexpr std::string_view kTrainingOrigin = "training";
inline constexpr std::string_view kLoaderOrigin = "loader";
inline constexpr std::string_view kExportOrigin = "export";

/// Whether such a run measured a Python file, so that its document is not a pipeline's.
inline bool isFileOrigin(std::string_view origin) {
  return origin == kLoaderOrigin || origin == kExportOrigin;
}

/// Of a run with kExportOrigin: the digest of the file's code.
inline constexpr std::string_view kExportCodeFact = "export_code";

/// The entry in a run's environment that names the machine that measured it, if that is not the one
/// that keeps it (`millrace --on`).
inline constexpr std::string_view kMachineFact = "machine";

}  // namespace millrace
