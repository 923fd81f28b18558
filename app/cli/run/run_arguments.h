// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/pipeline_input.h"
#include "app/cli/run/run_flags.h"
#include "core/measure/measured_run.h"

namespace millrace::cli {

/// The arguments of `millrace run`.
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
  bool awaitStart = false;  ///< for a rank: each repeat begins when the parent requests it
  bool json = false;
  bool events = false;
  /// For a program that keeps the run itself: also the event `record`, and with `page` the report
  /// as the event `page`.
  std::string record;

  void addTo(CLI::App& run);
  /// Call after parsing: sets `measure`. Returns a sentence if the arguments contradict each other.
  std::optional<std::string> settle();
};

}  // namespace millrace::cli
