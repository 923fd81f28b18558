// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// What a condition means for a verdict.
enum class Weight : std::uint8_t {
  Decides,   ///< another one: the runs are not alike (CONTRACT §8), there is no verdict
  Explains,  ///< another one may be why the figures differ
};

/// Something besides the settings that figures depend on, and what it was in one run.
struct RunCondition {
  std::string name;   ///< "CPU", "page cache"
  std::string value;  ///< for a person; empty: not known
  Weight weight = Weight::Decides;
  /// Two runs are alike when these are equal. Empty: not known, which says nothing.
  std::string key;
  /// Changes by itself from run to run: runs that were measured in turns share it all the same.
  bool drifts = false;
};

/// The same conditions in the same order for every run:
/// - decide: CPU, architecture, cores, memory (within 2 %), memory limit, GPU, governor, data (the
///   fingerprint; the number of samples where a run has none), page cache, centred draws, nodes run
///   apart, settings changed while it ran, a trace, failed samples (by more than 1 % of all), and
///   that a run failed;
/// - explain: what was measured and its warm-up, engine, kernel, distribution, GPU driver,
/// compiler, virtual machine, other programs
///   (above 3 % of the cores), and what a sample is at the consumer.
std::vector<std::vector<RunCondition>> conditionsOf(std::span<const KeptRun> runs,
                                                    const Catalog& catalog);

/// Whether it is known of both and not the same.
bool differs(const RunCondition& a, const RunCondition& b);

/// What keeps two runs from a verdict: "page cache (warm against cold)", `a`'s first; of runs
/// measured `together` nothing that drifts.
std::vector<std::string> notAlikeIn(const std::vector<RunCondition>& a,
                                    const std::vector<RunCondition>& b, bool together = false);

}  // namespace millrace
