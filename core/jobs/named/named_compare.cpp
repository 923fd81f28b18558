// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `compare`: two pipelines measured together.
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/events/results/comparison_summary.h"
#include "core/events/stream/wait_events.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/compare/comparison_job.h"
#include "core/jobs/named/job_kinds.h"

namespace millrace {

namespace {

/// Passes what a comparison reports on to its event stream.
class ComparisonStream final : public ComparisonObserver {
 public:
  explicit ComparisonStream(int descriptor) : m_events(descriptor), m_waits(m_events) {}

  void problems(const Problems& problems) {
    for (const Problem& problem : problems.all()) m_events.problem(problem);
  }
  void result(const std::string& json) { m_events.result(json); }

  void onWarning(const Problem& problem) override { m_events.problem(problem); }
  void onNotKept(const std::string& sentence) override {
    m_events.problem({Severity::Warning, "", "", sentence, ""});
  }
  void onStep(const BlockStep& step) override { m_events.step(step); }
  void onBlock(std::size_t /*index*/, const MeasuredBlock& block) override {
    m_events.block(block, false);
  }
  void onReplaced(const MeasuredBlock& block) override { m_events.block(block, true); }
  void onWaiting(const RunPhase& phase) override { m_waits.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_waits.onPhase(phase); }

 private:
  ComparisonEvents m_events;
  WaitEvents m_waits;
};

class NamedComparison final : public StoppableJob<ComparisonJob> {
 public:
  NamedComparison(SideRequests sides, ComparisonSettings settings)
      : m_requests(std::move(sides)), m_settings(std::move(settings)) {}

  NamedJobEnd run(int events) override {
    Problems problems;
    StoppableSampleData samples(stopped());
    auto sides = prepareSides(m_requests, samples, problems);
    if (!sides) return refusedFor(problems, events);
    warnOfMachine(problems);
    ComparisonStream stream(events);
    stream.problems(problems);
    ComparisonJob job(std::move(*sides), m_settings, stream);
    const Result<ComparisonOutcome> outcome = runJob(job);
    if (!outcome) return {NamedJobEnd::Kind::Failed, {}, validUtf8(outcome.error().message)};
    const std::string json = comparisonJson(*outcome, false);
    stream.result(json);
    return {NamedJobEnd::Kind::Done, json, {}};
  }

 private:
  const SideRequests m_requests;
  const ComparisonSettings m_settings;
};

/// Appends the values of a key for one side, as the job takes them.
void addForSide(std::vector<std::string>& to, const char* prefix,
                const std::vector<std::string>& values) {
  for (const std::string& value : values) to.push_back(prefix + value);
}

/// The keys `a`, `data_a` and `settings_a`, likewise of B.
void readSide(JobOptions& options, std::size_t side, SideRequests& requests) {
  constexpr std::array kNames = {"a", "b"};
  constexpr std::array kData = {"data_a", "data_b"};
  constexpr std::array kSettings = {"settings_a", "settings_b"};
  constexpr std::array kPrefixes = {"A:", "B:"};
  std::vector<std::string> data;
  std::vector<std::string> settings;
  options.readNameOrDocument(kNames[side], requests.names[side], requests.documents[side]);
  options.readTexts(kData[side], data);
  options.readSettings(kSettings[side], settings);
  addForSide(requests.data, kPrefixes[side], data);
  addForSide(requests.settings, kPrefixes[side], settings);
  if (requests.names[side].empty())
    options.refuse("name two pipelines, `a` and `b`: files, examples, kept runs or documents");
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeCompareJob(JobOptions& options,
                                                 const std::string& /*program*/) {
  SideRequests sides;
  ComparisonSettings settings;
  std::optional<std::uint64_t> blocks;
  readSide(options, 0, sides);
  readSide(options, 1, sides);
  options.readTexts("data", sides.data);
  options.readSettings("settings", sides.settings);
  readReading(options, sides.both);
  settings.keep = readKeeping(options);
  sides.store = settings.keep.keep ? settings.keep.file : defaultStorePath();
  options.read("repeats", blocks, 1);
  options.read("seconds", settings.seconds);
  options.read("warmup", settings.warmup);
  options.read("resume", settings.resume);
  if (settings.seconds && *settings.seconds <= 0)
    options.refuse("seconds: expected a number above 0");
  if (blocks && *blocks > 1000) options.refuse("repeats: at most 1000 are allowed");
  if (settings.resume && !settings.keep.keep)
    options.refuse("`resume` needs the store that keeps the comparison");
  if (blocks) settings.blocks = static_cast<std::size_t>(*blocks);
  settings.seed = sides.both.seed;
  settings.noRandom = sides.both.noRandom;
  settings.fuse = !sides.both.noFuse;
  settings.failureLimit = readFailureLimit(options);
  MILLRACE_TRY(options.finish());
  return std::unique_ptr<NamedJob>(
      std::make_unique<NamedComparison>(std::move(sides), std::move(settings)));
}

}  // namespace millrace
