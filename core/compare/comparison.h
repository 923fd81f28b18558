// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/compare/conditions.h"
#include "core/graph/diff/graph_diff.h"
#include "core/metrics/metric_spec.h"

namespace millrace {

// Stored runs side by side, as a plain value for the command line, the HTML page and the workbench.
// Run 0 is the reference: changes and verdicts are relative to it. Text is stored unchanged and may
// contain invalid UTF-8 and control characters; code that displays it must escape it.

/// The rate of a repeat and its windows.
struct ComparedRepeat {
  std::int64_t index = 0;
  bool finished = false;
  bool counted = false;  ///< in the run's rate, means and verdicts
  std::optional<double> rate;
  std::vector<WindowRecord> windows;
};

struct ComparedRun {
  /// Its rate is that of the repeats that count (kept_run.h).
  RunSummary summary;
  std::string notes;
  std::string engineVersion;
  std::vector<ComparedRepeat> repeats;
  std::optional<Interval> rate95;  ///< of the rate, over the repeats that count
  std::vector<RunCondition> conditions;
  /// What limits its figures, in sentences: interrupted, a single repeat, disturbed, ...
  std::vector<std::string> remarks;
  /// Relative to the reference; absent for the reference itself.
  std::optional<Verdict> verdict;
  /// The edits that turn the reference's pipeline into this one; absent if one of the two is
  /// unreadable.
  std::optional<GraphDiff> graph;

  std::string number() const;  ///< "12"
};

/// A setting, or the presence of a node ("on", "bypassed", "absent"), for which `param` is empty.
struct SettingRow {
  std::string node;
  std::string param;
  std::vector<std::string> values;  ///< one per run, in the syntax of `--set`; "-" without a value
                                    /// Per run: whether the value differs from the reference's.
  std::vector<bool> changed;
  /// Whether the row is listed among the differences.
  bool differs = false;

  std::string name() const { return param.empty() ? node : node + "." + param; }
};

struct FigureValue {
  std::optional<double> value;
  std::optional<Interval> interval95;  ///< with 3 repeats or more
};

/// A figure of the run, of a node or of a queue.
struct FigureRow {
  const MetricSpec* spec = nullptr;
  std::string of;  ///< the node's or queue's id; empty for the whole run
  std::vector<FigureValue> values;

  /// after / before - 1 relative to the reference, of the values as metricNumber shows them; absent
  /// if a value is missing or the reference's is shown as 0.
  std::optional<double> shownChange(std::size_t run) const;
  /// The same of the exact values, for programs.
  std::optional<double> change(std::size_t run) const;
};

/// A remark and the numbers of the runs to which it applies.
struct Remark {
  std::string text;
  std::vector<std::string> runs;
};

struct Comparison {
  std::vector<ComparedRun> runs;
  std::vector<SettingRow> settings;  ///< all, in the order of the reference's chain
  std::vector<FigureRow> figures;    ///< of the run, then of nodes, then of queues

  std::size_t settingsThatDiffer() const;
  /// Identical remarks are merged.
  std::vector<Remark> remarks() const;
  /// Whether the row's node takes less than 1 % of the nodes' total time in every run.
  bool isNegligible(const FigureRow& row) const;
  /// Indices of the conditions that differ between runs.
  std::vector<std::size_t> conditionsThatDiffer() const;
};

/// Compares two or more runs. The baseline among them, else the first run, is the reference and
/// moves to the front; the others keep their order. Runs measured in interleaved blocks get the
/// paired verdict, others the verdict for separately measured runs. Pure; `catalog` describes the
/// parameters.
Comparison compareRuns(std::span<const KeptRun> runs, const Catalog& catalog);

}  // namespace millrace
