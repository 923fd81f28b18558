// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_parts.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "core/events/steady_seconds.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/common/version.h"
#include "core/base/text.h"
#include "core/measure/store_figures.h"
#include "core/monitor/cpu_speed.h"

namespace millrace::cli {

namespace {

/// Fact of a run: how often the processor throttled its cores because of heat meanwhile.
constexpr const char* kCpuThrottledFact = "cpu_throttled";

}  // namespace

void tellProblems(const std::vector<Problem>& problems, bool events) {
  if (!events) return;
  const double now = steadySeconds();
  fmt::print("{}\n", helloEvent(now, kVersion));
  for (const Problem& problem : problems) fmt::print("{}\n", problemEvent(now, problem));
}

std::unique_ptr<StoreRecorder> beginKeeping(const KeepFlags& keep, const PreparedPipeline& prepared,
                                            const std::string& pipeline, const Facts& facts) {
  if (keep.noStore) return nullptr;
  auto recorder = StoreRecorder::begin(keep.file(), keep.labels, prepared.plan, pipeline,
                                       keptText(prepared), facts);
  if (recorder) return recorder.take();
  fmt::print(stderr, "warning: this run is not kept: {}\n", validUtf8(recorder.error().message));
  return nullptr;
}

std::string keptLine(const KeepFlags& keep, const RunIdentity& identity) {
  const std::string& run = identity.runId;
  if (run.empty()) return {};
  return fmt::format("kept as run {}: millrace runs show {}{}", run, run, keep.suggested());
}

RunSurroundings::RunSurroundings(std::shared_ptr<const Source> source, bool fingerprint)
    : m_source(std::move(source)), m_throttles(thermalThrottles()) {
  if (fingerprint) m_fingerprint.emplace(m_source);
}

Facts RunSurroundings::factsOf(const RunResult& result, const Facts& before) {
  Facts known = gpuFacts(result);
  if (const auto now = thermalThrottles(); now && m_throttles && *now > *m_throttles)
    known.emplace_back(kCpuThrottledFact, fmt::format("{} times", *now - *m_throttles));
  if (m_fingerprint)
    for (auto& fact : m_fingerprint->take()) known.push_back(std::move(fact));
  if (m_source->listed() && !hasFact(before, "data_samples"))
    known.emplace_back("data_samples", std::to_string(m_source->size()));
  return known;
}

bool hasFact(const Facts& facts, std::string_view key) {
  return std::ranges::any_of(facts, [&](const auto& fact) { return fact.first == key; });
}

void warnOfHeat(const Facts& facts) {
  if (!hasFact(facts, kCpuThrottledFact)) return;
  fmt::print(stderr, "warning: {}",
             wrapped("the processor overheated and slowed its cores down during this "
                     "measurement: measure again once it has cooled down",
                     4, 9));
}

int exitCodeOf(const RunResult& result, bool tellReason) {
  if (result.outcome == RunOutcome::Interrupted) return kInterrupted;
  if (result.outcome == RunOutcome::Finished) return kDone;
  if (tellReason) fmt::print(stderr, "error: {}\n", validUtf8(result.reason));
  return kFailed;
}

}  // namespace millrace::cli
