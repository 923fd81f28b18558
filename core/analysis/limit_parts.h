// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/bottleneck.h"

// Helpers of the rules of findLimit; only for files of this folder.
namespace millrace {

/// Causes whose shares are closer than this are not distinguished.
inline constexpr double kCloseShares = 0.05;

/// A run with less tells nothing about its limit.
inline constexpr std::uint64_t kLeastRunBatches = 5;
inline constexpr double kLeastRunSeconds = 0.2;

inline constexpr std::string_view kDiagnose = "`millrace diagnose`";
inline constexpr const char* kDiagnoseDecides =
    "`millrace diagnose`, which runs the pipeline with parts left out";
inline constexpr const char* kMoreBlocks = "more blocks";

inline std::string percentText(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// Largest first; ties are ordered by kind and node, so that the result is reproducible.
inline void sortByShare(std::vector<LimitCause>& causes) {
  std::ranges::sort(causes, [](const LimitCause& a, const LimitCause& b) {
    return std::tie(b.share, a.kind, a.node) < std::tie(a.share, b.kind, b.node);
  });
}

/// `finding` with `cause` as the limit and `also` as further causes.
inline LimitFinding settled(LimitFinding finding, LimitCause cause, Confidence confidence,
                            const std::vector<LimitCause>& also = {}) {
  finding.confidence = confidence;
  finding.limit = std::move(cause);
  finding.also.insert(finding.also.end(), also.begin(), also.end());
  if (confidence != Confidence::Yes) finding.decides = kDiagnoseDecides;
  sortByShare(finding.also);
  return finding;
}

/// `finding` as "cannot tell", with the reason and the candidates.
inline LimitFinding leftOpen(LimitFinding finding, LimitEvidence why, std::string decides,
                             const std::vector<LimitCause>& candidates = {}) {
  finding.confidence = Confidence::CannotTell;
  finding.evidence.push_back(std::move(why));
  finding.decides = std::move(decides);
  finding.also.insert(finding.also.end(), candidates.begin(), candidates.end());
  sortByShare(finding.also);
  return finding;
}

/// Searches all stages; nullptr if there is no node of that id.
const RunCounters::Node* nodeNamed(const RunCounters& counters, const std::string& id);

/// Busy time of all threads, without the step's.
double busySecondsOf(const RunCounters::Stage& stage);

/// The cause that this kind of work counts as.
LimitKind kindOfWork(WorkKind work);

/// The first region has more threads than cores, and they wait for a core; nullopt otherwise.
std::optional<LimitEvidence> crowdingOf(const RunCounters& counters);

/// Finished work of stage `s` waits for one slow sample while its threads wait; nullopt otherwise.
std::optional<LimitCause> heavyTailOf(const RunCounters& counters, std::size_t s);

/// For a limit in stage `stage`, upstream of the finished batches: which of its work it is, or what
/// keeps its threads from working.
LimitFinding limitInRegion(const RunCounters& counters, std::size_t stage, LimitFinding finding);

}  // namespace millrace
