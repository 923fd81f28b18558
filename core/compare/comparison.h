// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analyse/verdict.h"
#include "core/compare/conditions.h"
#include "core/graph/graph_diff.h"
#include "core/metrics/metric_spec.h"

namespace millrace {

// Kept runs side by side, as a plain value for the command line, the page and the workbench. Run 0
// is the reference: changes, verdicts and "not as in" are against it. Text is as it was kept: bytes
// that are not UTF-8 and control characters included; whoever shows it makes it safe.

/// A repeat's rate and its windows.
struct ComparedRepeat {
  std::int64_t index = 0;
  bool finished = false;
  std::optional<double> rate;
  std::vector<WindowRecord> windows;
};

struct ComparedRun {
  RunSummary summary;
  std::string notes;
  std::string engineVersion;
  std::vector<ComparedRepeat> repeats;
  std::optional<Interval> rate95;  ///< of the mean of its repeats
  std::vector<RunCondition> conditions;
  /// What to know of its figures, in sentences: interrupted, a single repeat, disturbed, ...
  std::vector<std::string> remarks;
  /// Against the reference; absent for the reference itself.
  std::optional<Verdict> verdict;
  /// The reference's pipeline turned into this one; absent where one of them cannot be read.
  std::optional<GraphDiff> graph;

  std::string number() const;  ///< "12"
};

/// A setting, or whether a node is there ("on", "bypassed", "absent": `param` is empty then).
struct SettingRow {
  std::string node;
  std::string param;
  std::vector<std::string> values;  ///< one a run, as `--set` takes it; "-" where it has none
  /// Per run: not as in the reference.
  std::vector<bool> changed;
  /// Belongs among the differences.
  bool differs = false;

  std::string name() const { return param.empty() ? node : node + "." + param; }
};

struct FigureValue {
  std::optional<double> value;
  std::optional<Interval> interval95;  ///< over 3 repeats or more
};

/// A figure of the run, of a node or of a queue.
struct FigureRow {
  const MetricSpec* spec = nullptr;
  std::string of;  ///< the node's or queue's id; empty for the run's own
  std::vector<FigureValue> values;

  /// after / before - 1 against the reference; absent where one is, or is 0.
  std::optional<double> change(std::size_t run) const;
};

/// A remark, and the numbers of the runs that it is about.
struct Remark {
  std::string text;
  std::vector<std::string> runs;
};

struct Comparison {
  std::vector<ComparedRun> runs;
  std::vector<SettingRow> settings;  ///< all of them, along the reference's chain
  std::vector<FigureRow> figures;    ///< the run's own first, then nodes, then queues

  std::size_t settingsThatDiffer() const;
  /// Each remark once.
  std::vector<Remark> remarks() const;
  /// Of a node that takes under 1 % of the nodes' time in every run.
  bool isTrifle(const FigureRow& row) const;
  /// Numbers of the conditions that are not the same in all runs.
  std::vector<std::size_t> conditionsThatDiffer() const;
};

/// Two runs or more. The reference is the baseline among them, else the first; it is put in front,
/// the others keep their order. Runs measured together get the paired verdict,
/// others that of runs measured apart. Pure; `catalog` says what the settings mean.
Comparison compareRuns(std::span<const KeptRun> runs, const Catalog& catalog);

}  // namespace millrace
