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
#include "core/tune/sweep_plan.h"

namespace millrace {

/// A parameter that is to be varied, and its values as `--vary` reads them: "1,2,4", "1..16",
/// "16..256:x2", "*". Value.
struct SweepVariation {
  NodeId node;
  std::string param;
  std::string values;
  bool operator==(const SweepVariation&) const = default;

  /// What stands behind `--vary`: "decode.workers=1,2,4".
  std::string text() const;
  /// Why that cannot be, without the parameter's name in front: it stands beside the values.
  QString shownError(const Error& error) const;
};

/// Limits of memory are asked for in these.
inline constexpr double kMegabyte = 1e6;

/// As a flag and a list of values have it: up to twelve digits, no unit.
QString plainNumber(double value);

/// A sweep as a person asks for it. Value.
struct SweepOrder {
  std::vector<SweepVariation> variations;
  SweepDesign design;
  int repeats = 3;
  double warmupSeconds = 2;
  double seconds = 5;
  double trialSeconds = 0;      ///< after which a trial has failed; 0: as the engine has it
  std::int64_t trialBytes = 0;  ///< of memory; 0: no limit
  bool operator==(const SweepOrder&) const = default;

  /// Of `millrace sweep`, without pipeline and store.
  QStringList flags() const;
  /// The command line for a person: `subject` is the file's or the example's name.
  QString command(const QString& subject) const;
};

/// What there is to say about an order before it is measured.
struct SweepCheck {
  std::vector<QString> problems;  ///< one a variation, a sentence; empty: none
  QString problem;                ///< of all together; empty: none
  std::optional<SweepPlan> plan;  ///< where there is no problem
  std::size_t trials = 0;
  double seconds = 0;  ///< that they take, about

  bool ok() const { return plan.has_value(); }
};

/// By the functions of `millrace sweep`, without the data; each value also set alone and checked.
/// Pure; takes the time of some hundred checks at most.
SweepCheck checkSweep(const Graph& graph, const Catalog& catalog, const std::filesystem::path& base,
                      const SweepOrder& order);

/// Ways to write values around the one that a parameter has: some by list, range and doubling, all
/// there are of a choice. Empty where a person has to say.
struct ProposedValues {
  QString name;  ///< "Doubling"
  QString values;
  bool operator==(const ProposedValues&) const = default;
};
std::vector<ProposedValues> proposedValues(const ParamSpec& spec, const Value& current);

}  // namespace millrace
