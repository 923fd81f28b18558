// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/prediction_spread.h"
#include "core/base/text/text.h"
#include "core/measure/observers.h"
#include "core/measure/trace_reading.h"
#include "core/tune/plan_measurer.h"

namespace millrace {

namespace {

constexpr double kStartSeconds = 0.15;  ///< for a repeat, to open and to join
/// Seconds that an epoch from memory lasts. With fewer samples they would fit into the processor's
/// caches, and the rate would be too high.
constexpr double kMemoryEpoch = 4;
constexpr double kMostFilling =
    20;  ///< seconds; if filling takes longer, an advised cache is not measured
constexpr std::size_t kUsualSides = 8;
constexpr std::size_t kTraceSpans = 1 << 16;  ///< for a thread: 2.6 MB
constexpr std::size_t kSeriesSamples = 1 << 12;

/// Calls a function before each repeat.
class PreparedMeasurer final : public SideMeasurer {
 public:
  using Before = std::function<std::optional<double>()>;
  PreparedMeasurer(SideMeasurer& inner, const Before& before, std::optional<double>& resident)
      : m_inner(inner), m_before(before), m_resident(resident) {}
  Result<RunResult> measure(std::size_t side) override {
    if (m_before)
      if (const auto share = m_before()) m_resident = share;
    return m_inner.measure(side);
  }
  void stop() override { m_inner.stop(); }
  void cancel() override { m_inner.cancel(); }

 private:
  SideMeasurer& m_inner;
  const Before& m_before;
  std::optional<double>& m_resident;
};

/// Records the times of successive samples.
class SeriesRecorder final : public RunObserver {
 public:
  explicit SeriesRecorder(const Plan& plan) : m_plan(plan) {}
  void onTrace(std::size_t, const RunTrace& trace) override {
    m_seconds = sampleSeconds(m_plan, trace, kSeriesSamples);
  }
  std::vector<double> take() { return std::move(m_seconds); }

 private:
  const Plan& m_plan;
  std::vector<double> m_seconds;
};

}  // namespace

/// One of the pipelines that are measured together.
struct Diagnosis::Side {
  Probe probe = Probe::Baseline;
  std::string what;
  std::string cacheAfter;   ///< as in ProbePlan
  std::optional<Plan> own;  ///< empty: the pipeline itself
  std::optional<CacheSet> ownCaches;
  RunObserver* besides = nullptr;  ///< also notified of its repeats
};

/// Translates the steps of a measurement to steps of the diagnosis.
class Diagnosis::Steps final : public BlockObserver {
 public:
  Steps(Diagnosis& diagnosis, SideSpan sides, std::size_t blocks, std::size_t after)
      : m_diagnosis(diagnosis), m_sides(sides), m_repeats(sides.size() * blocks), m_after(after) {}

  void onStep(const BlockStep& step) override {
    const Side& side = *m_sides[step.side];
    const std::size_t of = m_begun + m_repeats + m_after;
    const auto after = static_cast<double>(m_after);
    m_diagnosis.m_observer.onStep({side.what, side.probe == Probe::Baseline,
                                   std::min(m_diagnosis.m_done++, of - 1), of,
                                   step.secondsLeft + after * m_diagnosis.secondsPerRepeat()});
  }
  void onBlock(std::size_t, const MeasuredBlock& block) override {
    for (std::size_t side = 0; side < m_sides.size(); ++side)
      if (m_sides[side]->probe == Probe::Baseline) m_diagnosis.m_observer.onKept(block.sides[side]);
  }

 private:
  Diagnosis& m_diagnosis;
  const SideSpan m_sides;
  const std::size_t m_repeats;
  const std::size_t m_after;
  const std::size_t m_begun = m_diagnosis.m_done;
};

Diagnosis::Diagnosis(const Plan& plan, const CacheSet& caches, DiagnosisSettings settings,
                     DiagnosisObserver& observer, const Clock& clock)
    : m_plan(plan),
      m_caches(caches),
      m_settings(std::move(settings)),
      m_surroundings(m_settings.surroundings),
      m_observer(observer),
      m_clock(clock) {}

Diagnosis::~Diagnosis() = default;

void Diagnosis::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->stop();
}

void Diagnosis::cancel() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->cancel();
}

bool Diagnosis::stopped() const {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

MeasureSettings Diagnosis::measureSettings() const {
  MeasureSettings settings;
  settings.warmupSeconds = m_settings.warmupSeconds;
  settings.seconds = m_settings.seconds;
  settings.epochs = m_settings.epochs;
  settings.awaitCores = m_settings.awaitCores;
  settings.failureLimit = m_settings.failureLimit;
  settings.noRandom = m_settings.noRandom;
  return settings;
}

double Diagnosis::secondsPerRepeat() const {
  return m_settings.warmupSeconds + m_settings.seconds + kStartSeconds;
}

BlockResult Diagnosis::measure(SideSpan sides, const MeasureSettings& repeat, std::size_t blocks,
                               std::size_t after) {
  std::vector<PlanSide> plans;
  std::vector<Observers> observers(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = *sides[i];
    observers[i].add(m_observer);
    if (side.besides != nullptr) observers[i].add(*side.besides);
    plans.push_back({side.own ? &*side.own : &m_plan, side.ownCaches ? &*side.ownCaches : &m_caches,
                     &observers[i]});
  }
  PlanMeasurer measurer(std::move(plans), repeat);
  PreparedMeasurer prepared(measurer, m_settings.beforeRepeat, m_surroundings.residentShare);
  BlockSettings settings;
  settings.sides = sides.size();
  settings.seed = m_settings.seed;
  settings.wanted = [blocks](const MeasuredBlocks&) { return blocks; };
  settings.mostReplaced =
      repeat.seconds ? 1 : 0;  // an epoch that fills a cache is not a measurement
  settings.secondsPerRepeat = secondsPerRepeat();
  Steps steps(*this, sides, blocks, after);
  BlockMeasurement measurement(prepared, settings, steps, {}, m_clock);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return {BlockEnd::Stopped, "", 0, {}};
    m_running = &measurement;
  }
  BlockResult result = measurement.run();
  {
    const MutexLock lock(m_mutex);
    m_running = nullptr;
  }
  return result;
}

double Diagnosis::fillingSeconds() const {
  return static_cast<double>(m_plan.pipeline.source->size()) / std::max(1e-9, m_firstRate);
}

bool Diagnosis::fill(SideSpan side, std::size_t after) {
  MeasureSettings epoch = measureSettings();
  epoch.warmupSeconds = 0;
  epoch.seconds.reset();
  epoch.epochs = 1;
  const BlockResult filled = measure(side, epoch, 1, after);
  if (filled.end != BlockEnd::Finished) recordEnd(filled, side);
  return filled.end == BlockEnd::Finished;
}

/// Fills the caches of the probes, or those of the pipeline if that takes a short time.
bool Diagnosis::fillCaches(const Sides& sides) {
  const std::size_t after = (sides.size() + 2) * m_settings.blocks;
  if (!m_caches.empty()) {
    if (fillingSeconds() > kMostFilling) return true;
    Sides one;
    one.push_back(std::make_unique<Side>());
    one.front()->probe = Probe::BaselineAgain;
    one.front()->what = "filling the caches";
    return fill(one, after);
  }
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (sides[i]->ownCaches && !sides[i]->ownCaches->empty() &&
        !fill(SideSpan(sides).subspan(i, 1), after))
      return false;
  return true;
}

void Diagnosis::recordEnd(const BlockResult& blocks, SideSpan sides) {
  m_result.end = blocks.end;
  if (blocks.end == BlockEnd::Failed)
    m_result.reason = sides[blocks.failedSide]->what + ": " + blocks.reason;
}

/// Measures the rate and the size of a sample, to size the run from memory, and the times of
/// successive samples. Its rate is not part of the result.
bool Diagnosis::initialRun() {
  Sides one;
  one.push_back(std::make_unique<Side>());
  one.front()->probe = Probe::BaselineAgain;
  one.front()->what = "initial run";
  SeriesRecorder series(m_plan);
  one.front()->besides = &series;
  MeasureSettings traced = measureSettings();
  traced.traceSpans = kTraceSpans;
  const BlockResult measured = measure(one, traced, 1, kUsualSides * m_settings.blocks);
  if (measured.end != BlockEnd::Finished) {
    recordEnd(measured, one);
    return false;
  }
  const SpanFigures& figures = measured.measured.blocks.front().sides.front();
  m_firstRate = figures.samplesPerSecond.mean.value_or(0);
  if (figures.inputBytesPerSecond.value_or(0) > 0 && m_firstRate > 0)
    m_encodedBytes = *figures.inputBytesPerSecond / m_firstRate;
  m_waits = waitsForStorage(countersOf(m_plan, {figures}, m_surroundings));
  m_result.gains.sampleSeconds = series.take();
  return true;
}

Diagnosis::Sides Diagnosis::makeSides() {
  ProbeOptions options;
  options.fuse = m_settings.fuse;
  options.memoryBytes = m_settings.memoryBytes;
  double samples =
      std::max(kMemoryEpoch * m_firstRate, 2.0 * static_cast<double>(m_plan.batch.size));
  if (m_encodedBytes) samples = std::min(samples, m_settings.memoryBytes / (*m_encodedBytes + 512));
  options.memorySamples = std::max<std::int64_t>(1, static_cast<std::int64_t>(samples));
  options.moreReaders = m_waits;
  options.cache = cachePointOf(m_plan, m_settings.memoryBytes, m_encodedBytes);
  ProbePlans probes = probePlans(m_plan, options);
  m_result.leftOut = std::move(probes.leftOut);
  Sides sides;
  sides.push_back(std::make_unique<Side>());
  sides.front()->what = "baseline";
  for (ProbePlan& probe : probes.plans) {
    auto side = std::make_unique<Side>();
    side->probe = probe.probe;
    side->what = std::move(probe.what);
    side->cacheAfter = std::move(probe.cacheAfter);
    side->own = std::move(probe.plan);
    // The pipeline's own caches serve all its runs; a probe's cache belongs to the probe.
    if (m_caches.empty()) {
      auto caches = CacheSet::make(*side->own);
      if (!caches) {
        m_result.leftOut.push_back(side->what + ": " + caches.error().message);
        continue;
      }
      side->ownCaches = caches.take();
    }
    sides.push_back(std::move(side));
  }
  return sides;
}

void Diagnosis::keepRuns(const Sides& sides, const MeasuredBlocks& measured) {
  m_result.replaced += measured.replaced;
  m_result.disturbed += measured.disturbed();
  for (std::size_t side = 0; side < sides.size(); ++side) {
    std::vector<SpanFigures> repeats;
    for (const MeasuredBlock& block : measured.blocks) repeats.push_back(block.sides[side]);
    const Plan& plan = sides[side]->own ? *sides[side]->own : m_plan;
    m_probes.push_back({sides[side]->probe, measured.rates(side),
                        countersOf(plan, repeats, m_surroundings), sides[side]->cacheAfter});
    m_result.runs.push_back({sides[side]->probe, sides[side]->what, measured.rates(side)});
    if (sides[side]->probe == Probe::Baseline) m_result.baseline = std::move(repeats);
  }
}

std::optional<double> DiagnosisRun::rate() const {
  std::vector<double> measured = rates;
  std::erase_if(measured, [](double rate) { return !(rate > 0); });
  return geometricMean(measured);
}

void Diagnosis::analyse() {
  const ProbeResult* baseline = probeNamed(m_probes, Probe::Baseline);
  const ProbeResult* apart = probeNamed(m_probes, Probe::NodesApart);
  const ProbeResult* toDecode = probeNamed(m_probes, Probe::ToDecode);
  m_result.counters = sharedOut(baseline->counters, apart != nullptr ? &apart->counters : nullptr,
                                toDecode != nullptr ? &toDecode->counters : nullptr);
  m_result.stalls = stallSplitOf(m_probes);
  std::vector<double> series = std::move(m_result.gains.sampleSeconds);
  m_result.gains = gainsOf(m_probes);
  m_result.gains.sampleSeconds = std::move(series);
  const LimitFinding counted = findLimit(m_result.counters);
  m_result.finding = confirm(counted, m_probes);
  m_result.advice = adviceFor(
      m_result.finding, m_result.counters,
      {cachePointOf(m_plan, m_settings.memoryBytes, m_encodedBytes), movePointsOf(m_plan)},
      m_result.gains);
  for (const Advice& advice : m_result.advice) {
    const auto predicted = predictedRate(m_result.counters, advice, m_result.gains);
    m_result.predicted.push_back(predicted && isWorthTelling(*predicted) ? predicted
                                                                         : std::nullopt);
  }
}

/// Measures the pipeline with the first advice together with the baseline.
void Diagnosis::tryAdvice() {
  if (m_result.advice.empty() || m_result.advice.front().edit == Advice::Edit::Words) return;
  if (!m_settings.planWith || stopped()) return;
  const Advice& advice = m_result.advice.front();
  Result<Plan> plan = m_settings.planWith(advice);
  if (!plan) {
    m_result.leftOut.push_back("as advised: " + plan.error().message);
    return;
  }
  Sides sides;
  for (const Probe probe : {Probe::BaselineAgain, Probe::Advised}) {
    sides.push_back(std::make_unique<Side>());
    sides.back()->probe = probe;
  }
  sides[0]->what = "baseline, again";
  sides[1]->what = "with " + advice.editText();
  sides[1]->own = plan.take();
  auto caches = CacheSet::make(*sides[1]->own);
  if (!caches) return;
  sides[1]->ownCaches = caches.take();
  if (!sides[1]->ownCaches->empty()) {
    if (fillingSeconds() > kMostFilling) {
      m_result.leftOut.push_back(fmt::format("as advised: filling the cache takes about {}",
                                             humanSeconds(std::ceil(fillingSeconds()))));
      return;
    }
    if (!fill(SideSpan(sides).subspan(1, 1), sides.size() * m_settings.blocks)) return;
  }
  const BlockResult measured = measure(sides, measureSettings(), m_settings.blocks, 0);
  if (measured.end != BlockEnd::Finished) {
    recordEnd(measured, sides);
    return;
  }
  keepRuns(sides, measured.measured);
  m_result.adviceGave =
      ratioOf(probeNamed(m_probes, Probe::Advised), probeNamed(m_probes, Probe::BaselineAgain));
  const LimitKind kind = m_result.finding.limit.kind;
  // These kinds were already decided by runs with parts left out.
  if (kind != LimitKind::Decode && kind != LimitKind::Augmentation && kind != LimitKind::Read &&
      kind != LimitKind::ColdStorage)
    m_result.finding = confirm(findLimit(m_result.counters), m_probes);
}

DiagnosisResult Diagnosis::run() {
  if (!initialRun()) return std::move(m_result);
  const Sides sides = makeSides();
  if (!fillCaches(sides)) return std::move(m_result);
  const BlockResult blocks =
      measure(sides, measureSettings(), m_settings.blocks, 2 * m_settings.blocks);
  recordEnd(blocks, sides);
  if (blocks.measured.blocks.empty()) return std::move(m_result);
  keepRuns(sides, blocks.measured);
  analyse();
  if (m_result.end == BlockEnd::Finished) tryAdvice();
  return std::move(m_result);
}

}  // namespace millrace
