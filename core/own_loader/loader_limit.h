// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/bottleneck.h"

namespace millrace {

/// What is known of a measured loader that says what limits it. Shares are of all time, from 0
/// to 1. Value.
struct LoaderLoad {
  std::string what;       ///< LoaderReady::what
  bool stepped = false;   ///< a training step follows each batch
  double waitShare = 0;   ///< the program waited for batches
  double startShare = 0;  ///< of that, for the first batches of epochs after the first
  std::uint64_t workers = 0;
  std::optional<double> workersBusy;  ///< with workers whose steps were seen
  /// Of all batches: none lay in the queue between workers and program when it was asked for.
  std::optional<double> queueEmpty;
  double coresUsed = 0;  ///< by the program and all that it started
  double coresUsable = 1;
  double othersShare = 0;  ///< of the cores, that other programs used
  /// The steps inside the loader, with their shares of the time of all of them. Empty: not seen.
  std::vector<std::pair<std::string, double>> steps;
};

/// What limits the rate, by the rules of docs/own-loader.md. Pure.
LimitFinding findLoaderLimit(const LoaderLoad& load);

/// The kind of limit that a step inside a loader is if it takes most time, by the name that the
/// harness gives it. Pure.
LimitKind kindOfStep(const std::string& step);

/// The step that a finding is about: its costliest one if it needs more workers or a cheaper step.
/// Empty: no step inside the loader. Pure.
std::string stepOf(const LimitFinding& finding, const LoaderLoad& load);

/// The limit with its evidence, as one line: "too few workers: they were busy 97 % of the time
/// ...". Empty if it is not known.
std::string lineOf(const LimitFinding& finding);

/// What may help. Value.
struct LoaderAdvice {
  /// Arguments of a DataLoader, or settings of a tf.data.Dataset; empty: there are words only.
  std::vector<std::pair<std::string, std::string>> set;
  std::string text;
};
/// "num_workers=2: more workers use the idle cores".
std::string lineOf(const LoaderAdvice& advice);
/// The first is the one to try.
std::vector<LoaderAdvice> loaderAdvice(const LimitFinding& finding, const LoaderLoad& load);

}  // namespace millrace
