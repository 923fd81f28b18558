// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/tune/tuner/tune_goal.h"
#include "core/tune/tuner/tune_space.h"
#include "widgets/models/search/sweep_order.h"

namespace millrace {

/// A tuning as requested by the user. Value.
struct TuneOrder {
  TuneGoal goal = TuneGoal::Throughput;
  double budgetSeconds = 120;
  std::int64_t memoryBytes = 0;            ///< memory limit of a trial; 0: none
  int cores = 0;                           ///< cores that trials run on; 0: all
  double warmupSeconds = 0.5;              ///< warm-up of a trial, not counted
  double seconds = 1.5;                    ///< measured time of a trial
  AllowedChanges allowed;                  ///< allowed changes of what training gets
  std::vector<SweepVariation> variations;  ///< in addition to what is tuned automatically

  /// The flags of `millrace tune`, without pipeline and store.
  QStringList flags() const;
  /// The command line for display: `subject` is the file's or the example's name.
  QString command(const QString& subject) const;
};

/// The result of checking an order before it is measured.
struct TuneCheck {
  std::vector<QString> problems;  ///< a sentence for each variation; empty: no problem
  QString problem;                ///< of all together, a sentence; empty: no problem
  std::vector<std::optional<SweepAxis>> axes;
  int trials = 0;  ///< most that fit into the budget

  bool ok() const;
};

/// Checks with the functions of `millrace tune`, without the data. Pure.
TuneCheck checkTune(const Graph& graph, const Catalog& catalog, const TuneOrder& order);

/// A goal as text: "most samples per second", "least CPU time per sample".
QString shownGoal(TuneGoal goal);
/// A goal's figure as the title of a column or axis: "CPU s per 1 000 samples".
QString goalFigure(TuneGoal goal);
/// A value of a goal with its unit: "0.62 s", "12.3 ms", "1 840".
QString shownGoalValue(TuneGoal goal, double value);

}  // namespace millrace
