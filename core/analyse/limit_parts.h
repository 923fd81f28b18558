// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analyse/bottleneck.h"

// What the rules of findLimit share; for the files of this room alone.
namespace millrace {

/// Nearer, two causes are not told apart.
inline constexpr double kCloseShares = 0.05;

inline constexpr std::string_view kDiagnose = "`millrace diagnose`";
inline constexpr const char* kDiagnoseDecides = "`millrace diagnose`: runs without a part each";
inline constexpr const char* kMoreBlocks = "more blocks (`--repeats`)";

inline std::string percentText(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// Largest first; equal ones by kind and node, lest their order be chance.
inline void sortByShare(std::vector<LimitCause>& causes) {
  std::ranges::sort(causes, [](const LimitCause& a, const LimitCause& b) {
    return std::tie(b.share, a.kind, a.node) < std::tie(a.share, b.kind, b.node);
  });
}

/// `finding` with what limits, and what takes its share besides.
inline LimitFinding settled(LimitFinding finding, LimitCause cause, Sureness sure,
                            const std::vector<LimitCause>& also = {}) {
  finding.sure = sure;
  finding.limit = std::move(cause);
  finding.also.insert(finding.also.end(), also.begin(), also.end());
  if (sure != Sureness::Yes) finding.decides = kDiagnoseDecides;
  sortByShare(finding.also);
  return finding;
}

/// `finding` with why it cannot be told, and among what.
inline LimitFinding leftOpen(LimitFinding finding, LimitEvidence why, std::string decides,
                             const std::vector<LimitCause>& candidates = {}) {
  finding.sure = Sureness::CannotTell;
  finding.evidence.push_back(std::move(why));
  finding.decides = std::move(decides);
  finding.also.insert(finding.also.end(), candidates.begin(), candidates.end());
  sortByShare(finding.also);
  return finding;
}

/// Of any stage; nullptr where there is none of that id.
const RunCounters::Node* nodeNamed(const RunCounters& counters, const std::string& id);

/// Of all its threads, a step's left out.
double busySecondsOf(const RunCounters::Stage& stage);

/// The cause that a node's work is.
LimitKind kindOfWork(WorkKind work);

/// More threads in the first region than cores, which stand ready without one.
std::optional<LimitEvidence> crowdingOf(const RunCounters& counters);

/// Finished work of stage `s` stands behind one slow sample while its threads wait.
std::optional<LimitCause> heavyTailOf(const RunCounters& counters, std::size_t s);

/// The stage in front of the finished batches limits: which of its work, or what keeps it from
/// working.
LimitFinding limitInRegion(const RunCounters& counters, std::size_t stage, LimitFinding finding);

}  // namespace millrace
