// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `compare`: two pipelines measured together.
#include <optional>
#include <utility>

#include "core/events/results/comparison_summary.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/compare/comparison_job.h"
#include "core/jobs/named/job_kinds.h"
#include "core/jobs/named/job_stream.h"

namespace millrace {

namespace {

/// Passes what a comparison reports on to its event stream.
class ComparisonStream final : public BlockStream<ComparisonObserver> {
 public:
  using BlockStream::BlockStream;

  void onStep(const BlockStep& step) override { events().step(step); }
  void onBlock(std::size_t /*index*/, const MeasuredBlock& block) override {
    events().block(block, false);
  }
  void onReplaced(const MeasuredBlock& block) override { events().block(block, true); }
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
    return finish(job, stream,
                  [](const ComparisonOutcome& outcome) { return comparisonJson(outcome, false); });
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

/// The keys `a`, `data_a` and `settings_a`, and the same of B.
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
    options.refuse(
        "name two pipelines, `a` and `b`: files, examples, kept runs, loaders or documents");
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeCompareJob(JobOptions& options,
                                                 const std::string& /*program*/) {
  SideRequests sides;
  ComparisonSettings settings;
  readSide(options, 0, sides);
  readSide(options, 1, sides);
  options.readTexts("data", sides.data);
  options.readSettings("settings", sides.settings);
  options.read("python", sides.python);
  readReading(options, sides.both);
  settings.keep = readKeeping(options);
  sides.store = settings.keep.keep ? settings.keep.file : defaultStorePath();
  const MeasureOptions measure = readMeasureOptions(options);
  settings.seconds = measure.seconds;
  settings.warmup = measure.warmup;
  settings.blocks = measure.repeats;
  options.read("resume", settings.resume);
  if (settings.resume && !settings.keep.keep)
    options.refuse("`resume` needs the store that keeps the comparison");
  settings.seed = sides.both.seed;
  settings.noRandom = sides.both.noRandom;
  settings.fuse = !sides.both.noFuse;
  settings.failureLimit = readFailureLimit(options);
  MILLRACE_TRY(options.finish());
  return std::unique_ptr<NamedJob>(
      std::make_unique<NamedComparison>(std::move(sides), std::move(settings)));
}

}  // namespace millrace
