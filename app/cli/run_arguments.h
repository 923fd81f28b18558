// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/pipeline_input.h"
#include "app/cli/run_flags.h"
#include "core/run/measured_run.h"

namespace millrace::cli {

/// What `millrace run` was asked for.
struct RunArguments {
  PipelineArguments pipeline;
  MeasureSettings measure;
  std::optional<double> seconds;
  std::optional<double> warmupSeconds;
  std::string start;
  FailureFlag maxFailures;
  KeepFlags keep;
  std::string dump;
  std::uint64_t dumpBatches = 8;
  std::string trace;
  bool noFingerprint = false;
  bool cold = false;
  std::optional<std::size_t> ranks;
  bool awaitStart = false;  ///< of a rank: each repeat begins when its parent says so
  bool json = false;
  bool events = false;

  void addTo(CLI::App& run);
  /// Makes `measure` of them, once they are all read; a sentence where they mean nothing together.
  std::optional<std::string> settle();
};

/// Flags that make RunArguments::settle give `measure` again.
std::vector<std::string> measureWords(const MeasureSettings& measure,
                                      const std::string& maxFailures, bool noFuse);

}  // namespace millrace::cli
