// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/live_run.h"

#include <algorithm>
#include <cmath>

#include "core/data/stream_type.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/wait_text.h"

namespace millrace {

namespace {

/// Snapshots come every 0.2 s: after this long without one, a line has a gap.
constexpr double kGapSeconds = 1;
constexpr double kWindowSeconds = 1;
// Memory is bounded, whatever a stream contains.
constexpr std::size_t kProblemsKept = 1000;
constexpr std::size_t kMostRepeats = 1000;
constexpr std::size_t kMostSnapshots = 4200;  ///< twice what is kept of an hour
constexpr double kThinnedSeconds = 1;         ///< between snapshots that are older than a minute

LiveLayout layoutOf(const PlanEvent& plan) {
  LiveLayout layout;
  std::vector<std::string> placed;
  for (const PlanEvent::Stage& stage : plan.stages) {
    layout.stages.push_back({stage.id, std::max<std::size_t>(1, stage.threads), stage.nodes});
    placed.insert(placed.end(), stage.nodes.begin(), stage.nodes.end());
  }
  for (const PlanEvent::Queue& queue : plan.queues) layout.queues.push_back(queue.id);
  if (layout.stages.empty()) return layout;
  // The threads of the first stage also read the data (docs/reference/regions-and-queues.md).
  std::vector<std::string>& first = layout.stages.front().nodes;
  std::vector<std::string> reading;
  for (const PlanEvent::Node& node : plan.nodes)
    if (std::ranges::find(placed, node.id) == placed.end()) reading.push_back(node.id);
  first.insert(first.begin(), reading.begin(), reading.end());
  return layout;
}

LiveTotals totalsOf(const SnapshotEvent& snapshot) {
  LiveTotals totals;
  totals.seconds = snapshot.seconds;
  for (const SnapshotEvent::Queue& queue : snapshot.queues)
    totals.queues.push_back({queue.id, queue.emptySeconds, queue.fullSeconds});
  for (const SnapshotEvent::Node& node : snapshot.nodes)
    if (node.busySeconds) totals.nodes.push_back({node.id, *node.busySeconds});
  return totals;
}

/// By the rule of the last seconds, applied to all measured spans together.
LiveFinding findingOf(const LiveLayout& layout, const SpanFigures& figures) {
  LiveTotals totals;
  totals.seconds = figures.seconds;
  for (const QueueFigures& queue : figures.queues)
    totals.queues.push_back({queue.id, queue.emptyShare.value_or(0) * figures.seconds,
                             queue.fullShare.value_or(0) * figures.seconds});
  for (const NodeFigures& node : figures.nodes)
    if (node.busySeconds) totals.nodes.push_back({node.id, *node.busySeconds});
  return LiveLimit::ofWholeRun(layout, totals, figures.batches);
}

QString seconds(double value) { return QString::number(std::lround(value)); }

/// The share of a phase that is done, by the time that the engine expects it to take: of whole
/// epochs by their rate so far, so that it is also the share of their batches.
double doneShare(double elapsed, double left) {
  return elapsed > 0 && left > 0 ? elapsed / (elapsed + left) : 0;
}

}  // namespace

void LiveRun::begin(const QString& title, const MeasureChoice& measure, NodeNames names) {
  *this = {};
  m_state = State::Preparing;
  m_title = title;
  m_measure = measure;
  m_names = std::move(names);
  m_phase.repeats = static_cast<std::size_t>(std::max(1, measure.repeats));
}

void LiveRun::take(const StreamEvent& event) {
  if (m_state == State::None || m_state == State::Ended) return;
  // Events about the end may come late, for example after waiting for a locked store. Time stops
  // with the last measured second, so that the final values belong to it.
  const bool measures = !std::holds_alternative<ProblemEvent>(event.content) &&
                        !std::holds_alternative<ResultEvent>(event.content);
  if (measures) m_now = std::max(m_now, event.time);
  if (const auto* plan = std::get_if<PlanEvent>(&event.content)) takePlan(*plan);
  if (const auto* waiting = std::get_if<WaitingEvent>(&event.content))
    m_waitSeconds = waiting->phase.secondsLeft;
  if (const auto* phase = std::get_if<RunPhase>(&event.content)) takePhase(*phase);
  if (const auto* snapshot = std::get_if<SnapshotEvent>(&event.content)) takeSnapshot(*snapshot);
  if (const auto* window = std::get_if<WindowEvent>(&event.content)) takeWindow(*window);
  if (const auto* problem = std::get_if<ProblemEvent>(&event.content)) takeProblem(*problem);
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) {
    m_result = *result;
    m_failed = result->result.figures.failedSamples;
    m_peakBytes = std::max(m_peakBytes, result->result.figures.peakRssBytes.value_or(0));
    if (!result->runId.empty()) m_runId = toQt(result->runId);
  }
}

void LiveRun::finish(const ChildEnd& end) {
  closeWarmup();
  m_state = State::Ended;
  m_end = end;
  if (rate()) m_found = findingOf(m_layout, m_result->result.figures);
}

LiveFinding LiveRun::finding() const {
  if (m_found) return *m_found;
  return m_limit ? m_limit->finding() : LiveFinding{};
}

QString LiveRun::label() const { return m_runId.isEmpty() ? QString("Run") : "Run " + m_runId; }

bool LiveRun::passesBatches(const std::string& node) const {
  if (!m_plan) return false;
  const auto found = std::ranges::find(m_plan->nodes, node, &PlanEvent::Node::id);
  return found != m_plan->nodes.end() && found->out.starts_with(nameOf(Level::Batch));
}

QString LiveRun::titleOf(const std::string& node) const {
  const auto name = m_names.find(node);
  return name == m_names.end() ? toQt(node) : name->second.title;
}

Category LiveRun::categoryOf(const std::string& node) const {
  const auto name = m_names.find(node);
  return name == m_names.end() ? Category::Runtime : name->second.category;
}

const LiveLayout::Stage* LiveRun::stageOf(const std::string& node) const {
  for (const LiveLayout::Stage& stage : m_layout.stages)
    if (std::ranges::find(stage.nodes, node) != stage.nodes.end()) return &stage;
  return nullptr;
}

std::string LiveRun::fusedInto(const std::string& node) const {
  if (!m_plan) return {};
  for (const PlanEvent::Stage& stage : m_plan->stages)
    for (const std::vector<std::string>& group : stage.fused)
      if (!group.empty() && group.front() != node && std::ranges::find(group, node) != group.end())
        return group.front();
  return {};
}

bool LiveRun::isBrief() const {
  if (!m_plan) return false;
  if (!isOver()) {
    const std::optional<double> left = secondsLeft();
    return left && now() - began() + *left < LiveLimit::kLeastSeconds;
  }
  return m_result ? m_result->result.figures.seconds < LiveLimit::kLeastSeconds
                  : finding().kind == LiveFinding::Kind::Waiting;
}

bool LiveRun::keepsUp() const {
  const LiveFinding found = finding();
  return found.kind == LiveFinding::Kind::Consumer && categoryOf(found.node) == Category::Consumer;
}

void LiveRun::takePlan(const PlanEvent& plan) {
  m_plan = plan;
  m_layout = layoutOf(plan);
  m_limit.emplace(m_layout);
  m_fill.assign(plan.queues.size(), {});
}

void LiveRun::closeWarmup() {
  if (m_state == State::WarmUp && !m_warmups.empty()) m_warmups.back().to = m_now;
}

void LiveRun::addGaps() {
  for (TimeSeries* series : {&m_rate, &m_median, &m_low, &m_high, &m_memory, &m_coresUsed})
    series->addGap(m_now);
  for (TimeSeries* series : {&m_gpuBusy, &m_gpuMemory}) series->addGap(m_now);
  for (TimeSeries& flow : m_flows) flow.addGap(m_now);
  for (TimeSeries& fill : m_fill) fill.addGap(m_now);
}

void LiveRun::takePhase(const RunPhase& phase) {
  m_waitSeconds.reset();
  if (!m_began) m_began = m_now;
  closeWarmup();
  if (phase.repeat != m_phase.repeat) {
    addGaps();
    m_samplesBefore = m_samples;
  }
  if (phase.repeat >= m_begins.size() && m_begins.size() < kMostRepeats) m_begins.push_back(m_now);
  if (phase.warmup && m_warmups.size() < kMostRepeats) {
    m_warmups.push_back({m_now, m_now});
    m_anchor.reset();
  }
  m_phase = phase;
  m_phaseSeconds = phase.secondsLeft;
  m_phaseBegin = m_now;
  m_state = phase.warmup ? State::WarmUp : State::Measuring;
}

void LiveRun::takeSnapshot(const SnapshotEvent& snapshot) {
  if (!m_snapshots.empty() && m_now - m_snapshots.back().time > kGapSeconds) addGaps();
  m_snapshots.push_back({m_now, snapshot});
  thinSnapshots();
  m_phase.secondsLeft = snapshot.phase.secondsLeft;
  if (m_state == State::WarmUp && !m_warmups.empty()) m_warmups.back().to = m_now;
  if (!snapshot.runId.empty()) m_runId = toQt(snapshot.runId);
  m_samples = m_samplesBefore + snapshot.samples;
  m_failed = std::max(m_failed, snapshot.failedSamples);
  if (snapshot.rssBytes) m_peakBytes = std::max(m_peakBytes, *snapshot.rssBytes);
  // Without nodes a snapshot says nothing about them, as those of a kept run.
  if (m_limit && !snapshot.nodes.empty()) m_limit->add(totalsOf(snapshot));
  addSeries(snapshot);
  if (m_state == State::WarmUp) addWarmupRate(snapshot);
}

/// Old snapshots are kept in larger steps: their totals still give the figures of any span.
void LiveRun::thinSnapshots() {
  const auto joins = [this](std::size_t i, std::size_t j) {
    const SnapshotEvent& before = m_snapshots[i].content;
    const SnapshotEvent& after = m_snapshots[j].content;
    return before.phase.repeat == after.phase.repeat && before.phase.warmup == after.phase.warmup &&
           before.seconds <= after.seconds;
  };
  while (m_dense + 1 < m_snapshots.size() && m_snapshots[m_dense].time < m_now - kChartSeconds) {
    const bool between = m_dense > 0 && joins(m_dense - 1, m_dense) && joins(m_dense, m_dense + 1);
    if (between && m_snapshots[m_dense + 1].time - m_snapshots[m_dense - 1].time <= kThinnedSeconds)
      m_snapshots.erase(m_snapshots.begin() + static_cast<std::ptrdiff_t>(m_dense));
    else
      ++m_dense;
  }
  while (m_snapshots.size() > kMostSnapshots) {
    m_snapshots.pop_front();
    if (m_dense > 0) --m_dense;
  }
}

void LiveRun::addSeries(const SnapshotEvent& snapshot) {
  if (snapshot.rssBytes) m_memory.add(m_now, static_cast<double>(*snapshot.rssBytes) * 1e-6);
  const LiveSpan span = latest();
  if (span.seconds > 0) m_coresUsed.add(m_now, span.cpuSeconds / span.seconds);
  addFlows(span);
  addGpu();
  if (!m_plan) return;
  for (std::size_t i = 0; i < m_fill.size() && i < span.queues.size(); ++i) {
    const auto capacity =
        static_cast<double>(std::max<std::uint64_t>(1, m_plan->queues[i].capacity));
    const double fill = 100 * span.queues[i].meanFill / capacity;
    m_fill[i].add(m_now, std::min(fill, 100.0));
  }
}

void LiveRun::addFlows(const LiveSpan& span) {
  for (const FlowSpec& spec : flowSpecs()) {
    TimeSeries& series = m_flows[static_cast<std::size_t>(spec.flow)];
    if (const auto& rate = span.bytesPerSecond[spec.flow])
      series.add(m_now, *rate * 1e-6);
    else
      series.addGap(m_now);
  }
}

void LiveRun::addGpu() {
  const std::optional<GpuFigures> gpu = latestGpu();
  if (!gpu) return;
  const GpuValues& values = gpu->values;
  if (values.utilisation) m_gpuBusy.add(m_now, 100 * *values.utilisation);
  if (values.memoryUsedBytes && values.memoryTotalBytes.value_or(0) > 0)
    m_gpuMemory.add(m_now, 100 * *values.memoryUsedBytes / *values.memoryTotalBytes);
}

/// Window events cover only the measured span; a warm-up's line is made from the snapshots.
void LiveRun::addWarmupRate(const SnapshotEvent& snapshot) {
  if (!m_anchor) m_anchor = {m_phaseBegin, 0};
  const auto [begin, samples] = *m_anchor;
  if (m_now - begin < kWindowSeconds || snapshot.samples <= samples) return;
  m_rate.add(m_now, static_cast<double>(snapshot.samples - samples) / (m_now - begin));
  m_anchor = {m_now, snapshot.samples};
}

void LiveRun::takeWindow(const WindowEvent& window) {
  if (window.window.seconds <= 0 || window.repeat >= kMostRepeats) return;
  m_rate.add(m_now, window.window.rate());
  m_measured.add(m_now, window.window.rate());
  m_windowMedian.add(window.window.rate());
  auto& [samples, length] = m_sums[window.repeat];
  samples += static_cast<double>(window.window.samples);
  length += window.window.seconds;
  double low = samples / length;
  double high = low;
  for (const auto& [repeat, sum] : m_sums) {
    low = std::min(low, sum.first / sum.second);
    high = std::max(high, sum.first / sum.second);
  }
  m_median.add(m_now, m_windowMedian.value());
  m_low.add(m_now, low);
  m_high.add(m_now, high);
}

void LiveRun::takeProblem(const ProblemEvent& problem) {
  if (problem.sample) m_failed = std::max(m_failed, problem.failedSamples);
  if (m_problems.size() < kProblemsKept) m_problems.push_back(problem);
}

std::vector<RepeatProgress> LiveRun::repeats() const {
  std::vector<RepeatProgress> all(std::min(m_phase.repeats, kMostRepeats));
  const double done = std::clamp(m_phaseSeconds - m_phase.secondsLeft, 0.0, m_phaseSeconds);
  const bool begun = m_state != State::None && m_state != State::Preparing;
  const bool whole = m_end && m_end->kind == ChildEnd::Kind::Finished;
  for (std::size_t i = 0; i < all.size(); ++i) {
    RepeatProgress& repeat = all[i];
    repeat.warmupSeconds = m_measure.warmupSeconds;
    repeat.measuredSeconds = m_measure.seconds;
    const bool past = begun && (whole || i < m_phase.repeat);
    const bool current = begun && !whole && i == m_phase.repeat;
    if (past || (current && !m_phase.warmup)) repeat.warmupDone = repeat.warmupSeconds;
    if (past) repeat.measuredDone = repeat.measuredSeconds;
    if (!current) continue;
    if (!m_phase.warmup && m_measure.epochs > 0) {
      repeat.measuredDone =
          repeat.measuredSeconds * doneShare(m_now - m_phaseBegin, m_phase.secondsLeft);
      continue;
    }
    double& part = m_phase.warmup ? repeat.warmupDone : repeat.measuredDone;
    part = std::min(done, m_phase.warmup ? repeat.warmupSeconds : repeat.measuredSeconds);
  }
  return all;
}

std::optional<double> LiveRun::secondsLeft() const {
  if (m_state == State::None || m_state == State::Ended) return std::nullopt;
  const auto later =
      static_cast<double>(m_phase.repeats - std::min(m_phase.repeats, m_phase.repeat + 1));
  if (m_measure.epochs > 0) {
    // How long epochs take is known while they are measured.
    if (m_state != State::Measuring || m_phase.secondsLeft <= 0) return std::nullopt;
    const double measured = m_now - m_phaseBegin + m_phase.secondsLeft;
    return m_phase.secondsLeft + later * (m_measure.warmupSeconds + measured);
  }
  const double each = m_measure.warmupSeconds + m_measure.seconds;
  if (m_state == State::Preparing) return each * static_cast<double>(m_phase.repeats);
  return m_phase.secondsLeft + (m_phase.warmup ? m_measure.seconds : 0) + later * each;
}

QString LiveRun::phaseText() const {
  if (m_waitSeconds && m_state != State::Ended) return waitText(*m_waitSeconds);
  switch (m_state) {
    case State::None: return "no run";
    case State::Preparing: return "preparing";
    case State::Ended: break;
    default: {
      const QString repeat =
          QString("repeat %1 of %2, ").arg(m_phase.repeat + 1).arg(m_phase.repeats);
      if (!m_phase.warmup && m_measure.epochs > 0) {
        const double epochs =
            m_measure.epochs * doneShare(m_now - m_phaseBegin, m_phase.secondsLeft);
        const int epoch = std::min(m_measure.epochs, 1 + static_cast<int>(epochs));
        return repeat + QString("measuring epoch %1 of %2").arg(epoch).arg(m_measure.epochs);
      }
      const double done = m_phaseSeconds - m_phase.secondsLeft;
      const QString what = m_phase.warmup ? "warming up" : "measuring";
      return repeat + QString("%1 %2 of %3 s").arg(what, seconds(done), seconds(m_phaseSeconds));
    }
  }
  const QString kept = m_end && !m_end->notKept.isEmpty() ? ", not kept" : "";
  if (!m_end || m_end->kind == ChildEnd::Kind::Finished) return "done" + kept;
  return m_end->kind == ChildEnd::Kind::Stopped ? "stopped" + kept : "failed";
}

LiveSpan LiveRun::between(const TimeSpan& span) const {
  LiveSpan measured = spanOf(m_snapshots, span.from, span.to, SpanPart::Measured);
  return measured.seconds > 0 ? measured : spanOf(m_snapshots, span.from, span.to);
}

std::optional<GpuFigures> LiveRun::gpuBetween(const TimeSpan& span) const {
  const auto measured = gpuOf(m_snapshots, span.from, span.to, SpanPart::Measured);
  return measured ? measured : gpuOf(m_snapshots, span.from, span.to);
}

std::optional<GpuFigures> LiveRun::shownGpu() const {
  if (!isOver()) return latestGpu();
  if (m_result && m_result->result.figures.accelerator) return m_result->result.figures.accelerator;
  return gpuBetween({began(), m_now});
}

LiveSpan LiveRun::shown() const { return isOver() ? measured() : latest(); }

LiveSpan LiveRun::measured() const {
  if (!isOver() || !rate()) return between(measuredSpan());
  LiveSpan span = spanOf(m_result->result.figures);
  span.coreShares = between({began(), m_now}).coreShares;
  return span;
}

std::optional<double> LiveRun::rate() const {
  if (!m_result || m_result->result.figures.samples == 0) return std::nullopt;
  return m_result->result.figures.samplesPerSecond.mean;
}

TimeSpan LiveRun::measuredSpan() const {
  if (!m_phase.warmup && m_phaseBegin > 0 && m_now - m_phaseBegin > kLiveSeconds)
    return {m_phaseBegin, m_now};
  return {m_now - kLiveSeconds, m_now};
}

}  // namespace millrace
