// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/compare/from_store.h"

namespace millrace {

/// A run as a point among others.
struct CloudRun {
  RunNumber number{};
  QString name;
  std::optional<double> rate;    ///< samples/s
  std::optional<double> cost;    ///< CPU seconds per 1 000 samples
  std::vector<SqlValue> values;  ///< of RunCloud::axes
};

/// A setting or figure of many runs.
struct CloudAxis {
  QString id;
  QString title;
  QString unit;
  QueryField field;
};

/// Many runs at a glance: what their settings and their main figures were. Value.
struct RunCloud {
  std::vector<CloudAxis> axes;  ///< settings first, then the figures
  std::vector<CloudRun> runs;   ///< the newest first
  std::int64_t matching = 0;    ///< runs that there would be; more than `runs` where there are many
};

/// Runs that are shown as points at most.
inline constexpr std::int64_t kMostCloudRuns = 500;

/// The runs of `rest` and those on top of the list, on the store's thread.
Result<RunCloud> loadCloud(RunStore& store, const RunQuery& rest, const std::vector<RunNumber>& top,
                           const Catalog& catalog);

/// Places in `runs` of those than which none is both cheaper and faster, the cheapest first
/// (the Pareto front). Runs without both figures are none of them.
std::vector<std::size_t> paretoFront(const std::vector<CloudRun>& runs);

/// Places of the axes on which the runs have more than one value.
std::vector<std::size_t> axesThatVary(const RunCloud& cloud);

}  // namespace millrace
