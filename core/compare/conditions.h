// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// The value of the condition "consumer" of a run whose batches came from a user's own loader.
inline constexpr std::string_view kLoaderConsumer = "a loop over the user's loader";

/// What a difference in a condition means for a verdict.
enum class Weight : std::uint8_t {
  Decides,   ///< no verdict is given if it differs (docs/reference/verdict.md)
  Explains,  ///< a difference may explain different figures
};

/// Something other than settings that figures depend on, and its value in one run.
struct RunCondition {
  std::string name;   ///< "CPU", "page cache"
  std::string value;  ///< as displayed; empty: unknown
  Weight weight = Weight::Decides;
  /// Two runs agree in the condition when these are equal. Empty: unknown, which never counts as a
  /// difference.
  std::string key;
  /// Changes between runs without anyone's action; runs measured in interleaved blocks share it.
  bool drifts = false;
};

/// The same conditions in the same order for every run:
/// - deciding: CPU, architecture, cores, memory (within 2 %), memory limit, GPU, governor, data
///   (the fingerprint; the number of samples if a run has none), page cache, centred draws, node
///   fusion, settings changed during the run, trace, consumer, ranks, failed samples (more than
///   1 % of all) and a failed run;
/// - explaining: measured span and warm-up, engine, kernel, distribution, GPU driver, compiler,
///   virtual machine, other programs (more than 3 % of the cores), and the type of sample that
///   reaches the consumer.
std::vector<std::vector<RunCondition>> conditionsOf(std::span<const KeptRun> runs,
                                                    const Catalog& catalog);

/// Whether the condition is known for both runs and differs.
bool differs(const RunCondition& a, const RunCondition& b);

/// The deciding conditions that differ, as "page cache (warm against cold)" with the value of `a`
/// first. For runs measured `together`, drifting conditions are left out.
std::vector<std::string> notAlikeIn(const std::vector<RunCondition>& a,
                                    const std::vector<RunCondition>& b, bool together = false);

}  // namespace millrace
