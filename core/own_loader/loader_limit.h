// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace millrace {

/// What is known of a measured loader that says what limits it. Shares are of all time, from 0
/// to 1. Value.
struct LoaderLoad {
  bool stepped = false;   ///< a training step follows each batch
  double waitShare = 0;   ///< the program waited for batches
  double startShare = 0;  ///< of that, for the first batches of epochs after the first
  std::uint64_t workers = 0;
  std::optional<double> workersBusy;  ///< with workers whose steps were seen
  bool seen = false;                  ///< the steps inside the loader were seen
  double coresUsed = 0;               ///< by the program and all that it started
  double coresUsable = 1;
  std::string costliest;      ///< the step inside the loader that takes most time
  double costliestShare = 0;  ///< of the time of all those steps
};

/// What limits the rate, with the evidence: "the workers: they were busy 97 % of the time ...".
/// Empty if the figures do not show it. Pure.
std::string limitOf(const LoaderLoad& load);

}  // namespace millrace
