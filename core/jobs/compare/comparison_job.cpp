// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/compare/comparison_job.h"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "core/jobs/compare/side_runs.h"
#include "core/jobs/loader/loader_record.h"
#include "core/measure/observers.h"

namespace millrace {

namespace {

/// The parameters of the measurement, in the form in which they are kept.
ComparisonRecord recordOf(const ComparisonSettings& settings) {
  ComparisonRecord record;
  record.seed = settings.seed.value_or(std::random_device()());
  record.warmupSeconds = settings.warmup.value_or(MeasureSettings().warmupSeconds);
  record.seconds = settings.seconds.value_or(*MeasureSettings().seconds);
  const BlockRule usual;
  record.blocks = static_cast<std::int64_t>(settings.blocks.value_or(usual.blocks));
  record.moreBlocks = settings.blocks ? 0 : static_cast<std::int64_t>(usual.more);
  return record;
}

/// An error if a setting contradicts the comparison to be continued.
Status sameMeasurement(const ComparisonSettings& settings, const ComparisonRecord& begun) {
  const auto check = [](const char* setting, auto wanted, auto was) -> Status {
    if (!wanted || static_cast<double>(*wanted) == static_cast<double>(was)) return {};
    return Error{
        fmt::format("the stopped comparison was measured with {} {}, not with {}; continue it "
                    "without naming another, or begin a new one",
                    setting, was, *wanted)};
  };
  MILLRACE_TRY(check("seconds", settings.seconds, begun.seconds));
  MILLRACE_TRY(check("warm-up", settings.warmup, begun.warmupSeconds));
  return check("repeats", settings.blocks, begun.blocks);
}

}  // namespace

/// Counts the distinct samples of a side that failed.
class ComparisonJob::FailureNotes final : public RunObserver {
 public:
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    if (total > m_total) m_failures.insert(m_failures.end(), failures.begin(), failures.end());
    m_total = std::max(m_total, total);
  }
  void addTo(RunResult& result) const {
    result.failures = m_failures;
    result.figures.failedSamples = m_total;
  }

 private:
  std::vector<FailedSample> m_failures;
  std::uint64_t m_total = 0;
};

ComparisonJob::ComparisonJob(ComparisonSides sides, ComparisonSettings settings,
                             ComparisonObserver& observer)
    : m_sides(std::move(sides)),
      m_settings(std::move(settings)),
      m_observer(observer),
      m_record(recordOf(m_settings)) {
  for (std::size_t i = 0; i < m_sides.size(); ++i)
    m_failures.push_back(std::make_unique<FailureNotes>());
}

ComparisonJob::~ComparisonJob() = default;

Result<ComparisonOutcome> ComparisonJob::run() {
  MeasuredBlocks begun;
  setMeasureFacts();
  if (m_settings.resume)
    MILLRACE_TRY(goOn(begun));
  else if (m_settings.keep.keep)
    keep(ComparisonKeeper::begin(m_settings.keep.file, m_settings.keep.labels, m_sides, m_record));
  m_observer.onBegin();
  std::vector<std::string> differs = tellDifferences();
  const BlockResult blocks = measure(std::move(begun));
  return finish(outcomeOf(blocks, rule(), std::move(differs)));
}

Status ComparisonJob::goOn(MeasuredBlocks& begun) {
  MILLRACE_ASSIGN_OR_RETURN(auto stopped, stoppedComparison(m_settings.keep.file, m_sides));
  MILLRACE_TRY(sameMeasurement(m_settings, stopped.record));
  m_record = stopped.record;
  begun = stopped.measured;
  setMeasureFacts();
  keep(ComparisonKeeper::goOn(m_settings.keep.file, m_sides, stopped));
  return {};
}

void ComparisonJob::keep(Result<std::unique_ptr<ComparisonKeeper>> keeper) {
  if (keeper)
    m_keeper = keeper.take();
  else
    m_observer.onNotKept("this comparison is not kept: " + keeper.error().message);
}

std::vector<std::string> ComparisonJob::tellDifferences() {
  const auto warn = [this](std::string text) {
    m_observer.onWarning({Severity::Warning, "", "", std::move(text), ""});
  };
  std::vector<std::string> differs = notAlikeIn(m_sides);
  for (const std::string& what : differs) warn("the two sides are not comparable; " + what);
  if (std::string streams = differentStreams(m_sides); !streams.empty()) warn(std::move(streams));
  return differs;
}

void ComparisonJob::onStep(const BlockStep& step) { m_observer.onStep(step); }

void ComparisonJob::onBlock(std::size_t index, const MeasuredBlock& block) {
  if (m_keeper) m_keeper->keepBlock(index);
  m_observer.onBlock(index, block);
}

void ComparisonJob::onReplaced(const MeasuredBlock& block) {
  if (m_keeper)
    if (const Status noted = m_keeper->replaceBlock(); !noted)
      m_observer.onNotKept("this comparison is not kept completely: " + noted.error().message);
  m_observer.onReplaced(block);
}

BlockRule ComparisonJob::rule() const {
  return {static_cast<std::size_t>(m_record.blocks), static_cast<std::size_t>(m_record.moreBlocks)};
}

BlockSettings ComparisonJob::blockSettings() const {
  BlockSettings settings;
  settings.sides = m_sides.size();
  settings.seed = m_record.seed;
  settings.wanted = [rule = rule()](const MeasuredBlocks& measured) {
    return blocksWanted(rule, measured);
  };
  // If another program uses a fifth of a core's time, half of the blocks are disturbed.
  settings.mostReplaced = m_settings.replaceDisturbed ? 2 * rule().blocks : 0;
  settings.secondsPerRepeat = m_record.warmupSeconds + m_record.seconds;
  return settings;
}

MeasureSettings ComparisonJob::measureSettings() const {
  MeasureSettings settings;
  settings.warmupSeconds = m_record.warmupSeconds;
  settings.seconds = m_record.seconds;
  settings.noRandom = m_settings.noRandom;
  settings.failureLimit = m_settings.failureLimit;
  settings.watchPageCache = true;
  settings.awaitCores = true;
  return settings;
}

void ComparisonJob::setMeasureFacts() {
  for (const auto& side : m_sides)
    for (const auto& [key, value] : side->asLoader() != nullptr
                                        ? loaderMeasureFacts(measureSettings())
                                        : measureFacts(measureSettings(), m_settings.fuse))
      side->setFact(key, value);
}

/// Every repeat shows the same, so the first one is noted.
void ComparisonJob::noteLoader(std::size_t side, const LoaderFacts& facts) {
  if (!m_sides[side]->fact("loader_kind").empty()) return;
  const Facts known = loaderFactsOf(facts);
  for (const auto& [key, value] : known) m_sides[side]->setFact(key, value);
  if (m_keeper) m_keeper->addFacts(side, known);
}

BlockResult ComparisonJob::measure(MeasuredBlocks begun) {
  std::array<Observers, 2> observers;
  std::vector<RunObserver*> ofSides;
  for (std::size_t i = 0; i < m_sides.size(); ++i) {
    observers[i].add(m_observer);
    observers[i].add(*m_failures[i]);
    if (m_keeper) observers[i].add(m_keeper->observer(i));
    ofSides.push_back(&observers[i]);
  }
  SideRuns measurer(
      m_sides, std::move(ofSides), measureSettings(),
      [this](std::size_t side, const LoaderFacts& facts) { noteLoader(side, facts); });
  BlockMeasurement measurement(measurer, blockSettings(), *this, std::move(begun));
  {
    const MutexLock lock(m_mutex);
    m_running = &measurement;
    if (m_stopped) measurement.stop();
  }
  BlockResult result = measurement.run();
  const MutexLock lock(m_mutex);
  m_running = nullptr;
  return result;
}

ComparisonOutcome ComparisonJob::finish(ComparisonOutcome outcome) {
  std::vector<RunResult> results;
  for (std::size_t i = 0; i < m_sides.size(); ++i) {
    ComparedSide& side = outcome.sides[i];
    side.pipeline = m_sides[i]->pipeline;
    side.name = m_sides[i]->name;
    side.result.environment = m_sides[i]->facts;
    m_failures[i]->addTo(side.result);
    if (m_keeper) side.runId = m_keeper->runId(i);
    results.push_back(side.result);
  }
  outcome.differences = differencesOf(m_sides);
  if (m_keeper) m_keeper->finish(results, m_observer);
  return outcome;
}

void ComparisonJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->stop();
}

}  // namespace millrace
