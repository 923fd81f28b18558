// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/store/run_record.h"

namespace millrace {

/// Predicted gain of an edit of a run's pipeline, and the measured gain.
struct PredictionRecord {
  RunNumber run{};   ///< run of the pipeline without the edit
  WallTime made{};   ///< set by the store
  std::string edit;  ///< "workers.count 2 -> 4"
  std::string metric = "samples_per_second";
  std::optional<double> low;
  double middle = 0;
  std::optional<double> high;
  std::optional<RunNumber> followedBy;  ///< the run with the edit, if it was recorded
  std::optional<double> followedValue;  ///< the figure measured with the edit
  std::optional<double> without;        ///< the figure of `run`; filled in when read
};

}  // namespace millrace
