// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run/run_flags.h"
#include "core/jobs/loader/loader_job.h"

namespace millrace::cli {

/// The arguments of `millrace loader`.
struct LoaderArguments {
  std::string loader;
  std::string python = "python3";
  std::vector<std::string> set;
  MeasureSettings measure;
  std::optional<double> seconds;
  double stepSeconds = 0;
  double patienceSeconds = 60;
  std::uint64_t samples = 0;
  KeepFlags keep;
  bool tune = false;
  bool json = false;
  bool events = false;

  void addTo(CLI::App& loader);
  /// Call after parsing. The error is a sentence about the arguments.
  Result<LoaderJobSettings> settings() const;
};

}  // namespace millrace::cli
