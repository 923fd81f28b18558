// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_limit.h"

#include <fmt/format.h>

namespace millrace {

namespace {

constexpr double kKeepsUp = 0.05;     // the program waits no longer than this
constexpr double kLongWaits = 0.25;   // with idle workers
constexpr double kManyStarts = 0.25;  // so much for the first batches of epochs
constexpr double kBusy = 0.85;        // of workers, and of cores

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string stepLimits(const LoaderLoad& load) {
  return fmt::format("the step: the program waited for batches only {} of the time",
                     percent(load.waitShare));
}

}  // namespace

std::string limitOf(const LoaderLoad& load) {
  if (load.stepped && load.waitShare < kKeepsUp) return stepLimits(load);
  if (load.startShare > kManyStarts)
    return fmt::format(
        "the start of each epoch: {} of the time went into waiting for first batches",
        percent(load.startShare));
  if (!load.seen) return {};
  const std::string costliest =
      fmt::format("the costliest step is {} ({})", load.costliest, percent(load.costliestShare));
  const std::string cores = fmt::format("{:.1f} of {:.3g} cores", load.coresUsed, load.coresUsable);
  if (load.coresUsed > kBusy * load.coresUsable)
    return fmt::format("the processor: the loader used {}; {}", cores, costliest);
  if (load.workers == 0)
    return fmt::format("the program itself, which makes all batches and used {}; {}", cores,
                       costliest);
  // In the time of the starts there are no workers.
  if (load.workersBusy && *load.workersBusy > kBusy * (1 - load.startShare))
    return fmt::format("the workers: they were busy {} of the time and used {}; {}",
                       percent(*load.workersBusy), cores, costliest);
  if (load.stepped && load.waitShare < kLongWaits) return stepLimits(load);
  if (load.workersBusy)
    return fmt::format(
        "passing batches on: the program waited {} of the time, although the workers were busy "
        "only {}",
        percent(load.waitShare), percent(*load.workersBusy));
  return {};
}

}  // namespace millrace
