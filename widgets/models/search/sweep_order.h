// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/graph/graph.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace {

/// A parameter to vary, and its values in the form that `--vary` reads: "1,2,4", "1..16",
/// "16..256:x2", "*". Value.
struct SweepVariation {
  NodeId node;
  std::string param;
  std::string values;
  bool operator==(const SweepVariation&) const = default;

  /// The argument of `--vary`: "decode.workers=1,2,4".
  std::string text() const;
  /// Why the values are not possible, without the parameter's name: it is shown next to the values.
  QString shownError(const Error& error) const;
};

/// Memory limits are entered in this unit.
inline constexpr double kMegabyte = 1e6;

/// As flags and lists of values write it: up to twelve digits, no unit.
QString plainNumber(double value);

/// A sweep as requested by the user. Value.
struct SweepOrder {
  std::vector<SweepVariation> variations;
  SweepDesign design;
  int repeats = 3;
  double warmupSeconds = 2;
  double seconds = 5;
  double trialSeconds = 0;      ///< a trial fails after this; 0: the engine's default
  std::int64_t trialBytes = 0;  ///< memory limit; 0: none
  bool operator==(const SweepOrder&) const = default;

  /// The flags of `millrace sweep`, without pipeline and store.
  QStringList flags() const;
  /// The command line for display: `subject` is the file's or the example's name.
  QString command(const QString& subject) const;
};

/// The result of checking an order before it is measured.
struct SweepCheck {
  std::vector<QString> problems;  ///< a sentence for each variation; empty: no problem
  QString problem;                ///< of all together; empty: no problem
  std::optional<SweepPlan> plan;  ///< set if there is no problem
  std::size_t trials = 0;
  double seconds = 0;  ///< estimated duration

  bool ok() const { return plan.has_value(); }
};

/// Checks with the functions of `millrace sweep`, without the data; each value is also set and
/// checked on its own. Pure; takes the time of some hundred checks at most.
SweepCheck checkSweep(const Graph& graph, const Catalog& catalog, const std::filesystem::path& base,
                      const SweepOrder& order);

/// Proposed values around a parameter's present one: a list, a range and doubling for numbers, all
/// values of a choice. Empty if the user has to enter values.
struct ProposedValues {
  QString name;  ///< "Doubling"
  QString values;
  bool operator==(const ProposedValues&) const = default;
};
std::vector<ProposedValues> proposedValues(const ParamSpec& spec, const Value& current);

}  // namespace millrace
