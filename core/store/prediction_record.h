// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/store/run_record.h"

namespace millrace {

/// What an edit of a run's pipeline was said to bring before it was measured, and what it brought.
struct PredictionRecord {
  RunNumber run{};   ///< of the pipeline without the edit
  WallTime made{};   ///< set by the store
  std::string edit;  ///< "workers.count 2 -> 4"
  std::string metric = "samples_per_second";
  std::optional<double> low;
  double middle = 0;
  std::optional<double> high;
  std::optional<RunNumber> followedBy;  ///< the run with the edit, where it was kept
  std::optional<double> followedValue;  ///< what was measured then
  std::optional<double> without;        ///< that figure of `run`; read alone
};

}  // namespace millrace
