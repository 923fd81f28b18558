// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/tune/tune_goal.h"
#include "core/tune/tune_space.h"
#include "widgets/models/sweep_order.h"

namespace millrace {

/// A tuning as a person asks for it. Value.
struct TuneOrder {
  TuneGoal goal = TuneGoal::Throughput;
  double budgetSeconds = 120;
  std::int64_t memoryBytes = 0;            ///< that a trial may take; 0: no limit
  int cores = 0;                           ///< that trials run on; 0: all
  double warmupSeconds = 0.5;              ///< of a trial, not counted
  double seconds = 1.5;                    ///< of a trial
  AllowedChanges allowed;                  ///< of what training sees
  std::vector<SweepVariation> variations;  ///< besides what is tuned by itself

  /// Of `millrace tune`, without pipeline and store.
  QStringList flags() const;
  /// The command line for a person: `subject` is the file's or the example's name.
  QString command(const QString& subject) const;
};

/// What there is to say about an order before it is measured.
struct TuneCheck {
  std::vector<QString> problems;  ///< one a variation, a sentence; empty: none
  QString problem;                ///< of them together, a sentence; empty: none
  std::vector<std::optional<SweepAxis>> axes;
  int trials = 0;  ///< that fit into the budget, about

  bool ok() const;
};

/// By the functions of `millrace tune`, without the data. Pure.
TuneCheck checkTune(const Graph& graph, const Catalog& catalog, const TuneOrder& order);

/// "samples/s", "CPU time a sample": what a goal is about, for a person.
QString shownGoal(TuneGoal goal);
/// The figure of a goal as a column and an axis name it: "CPU s per 1 000 samples".
QString goalFigure(TuneGoal goal);
/// A value of it with its unit: "0.62 s", "12.3 ms", "1 840".
QString shownGoalValue(TuneGoal goal, double value);

}  // namespace millrace
