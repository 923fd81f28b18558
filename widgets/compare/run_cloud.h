// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/compare/from_store.h"

namespace millrace {

/// A run as one point among others.
struct CloudRun {
  RunNumber number{};
  QString name;
  std::optional<double> rate;    ///< samples/s
  std::optional<double> cost;    ///< CPU seconds per 1 000 samples
  std::vector<SqlValue> values;  ///< one for each of RunCloud::axes
};

/// A setting or figure of many runs.
struct CloudAxis {
  QString id;
  QString title;
  QString unit;
  QueryField field;
};

/// The settings and main figures of many runs. Value.
struct RunCloud {
  std::vector<CloudAxis> axes;  ///< settings first, then the figures
  std::vector<CloudRun> runs;   ///< the newest first
  std::int64_t matching = 0;    ///< number of matching runs; may exceed `runs.size()`
};

/// The most runs that are shown as points.
inline constexpr std::int64_t kMostCloudRuns = 500;

/// The runs of `rest` and those at the top of the list. Runs on the store's thread.
Result<RunCloud> loadCloud(RunStore& store, const RunQuery& rest, const std::vector<RunNumber>& top,
                           const Catalog& catalog);

/// Indices in `runs` of the Pareto-optimal runs (no other run is both cheaper and faster), cheapest
/// first. Runs that lack one of the figures are left out.
std::vector<std::size_t> paretoFront(const std::vector<CloudRun>& runs);

/// Indices of the axes on which the runs have more than one value.
std::vector<std::size_t> axesThatVary(const RunCloud& cloud);

}  // namespace millrace
