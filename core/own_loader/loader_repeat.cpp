// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_repeat.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/thread_name.h"
#include "core/monitor/gpu/gpu_monitor.h"

namespace millrace {

namespace {

constexpr auto kSnapshotEvery = std::chrono::milliseconds(200);
/// Until the guard itself is killed: it gives the loader three seconds, and its processes five.
constexpr double kGuardSeconds = 12;
constexpr const char* kNameFunction = "name a function that returns it, so that it can begin again";

/// The last line of an error output; empty if there is none.
std::string lastLine(const std::string& errors) {
  std::string last;
  for (const std::string& line : split(errors, '\n'))
    if (!trimmed(line).empty()) last = trimmed(line);
  return last;
}

std::string howItEnded(const LoaderExited& exited) {
  if (exited.signal == SIGKILL)
    return "it was killed (signal 9), which happens when memory runs out";
  if (exited.signal != 0)
    return fmt::format("it crashed: signal {} ({})", exited.signal, ::strsignal(exited.signal));
  return fmt::format("it ended the program with exit code {}", exited.code);
}

}  // namespace

LoaderRun::Repeat::Repeat(LoaderRun& run, const InheritedText& parts, std::size_t index)
    : m_run(run),
      m_index(index),
      m_clock(steadyClock()),
      m_process(harnessCommand(run.m_loader, parts.path()), {.stopSeconds = 1},
                [this](std::string_view line) { hear(line); }),
      m_started(m_clock.now()),
      m_lastNews(m_started) {}

SpanMeter::Limits LoaderRun::Repeat::limits() const {
  const MeasureSettings& settings = m_run.m_settings;
  return {settings.warmupSeconds, 0, settings.seconds, settings.batches};
}

Status LoaderRun::Repeat::go() {
  std::thread sampler([this] { sampleLoop(); });
  const Result<TrialEnd> end = m_process.run();
  if (end) judgeEnd(*end);
  {
    const MutexLock lock(m_mutex);
    m_done = true;
    m_wake.notifyAll();
  }
  sampler.join();
  Update last;
  {
    const MutexLock lock(m_mutex);
    last = collect();
  }
  report(last);
  if (!end) return end.error();
  return {};
}

void LoaderRun::Repeat::stop() {
  const MutexLock lock(m_mutex);
  if (m_measuring && !m_ended) endSpan();
  m_ended = true;
  askToEnd();
}

void LoaderRun::Repeat::askToEnd() {
  if (!m_asked) m_asked = m_clock.now();
  m_process.tell("end");
}

void LoaderRun::Repeat::hear(std::string_view line) {
  const auto heard = parseLoaderLine(line);
  if (!heard) return;
  const MutexLock lock(m_mutex);
  m_lastNews = m_clock.now();
  std::visit([this](const auto& each) MILLRACE_NO_THREAD_SAFETY_ANALYSIS { take(each); }, *heard);
}

void LoaderRun::Repeat::take(const LoaderStarted& started) {
  m_sampler.emplace(started.guard, started.program);
  m_family = m_sampler->sample();
  if (m_asked) askToEnd();
}

void LoaderRun::Repeat::take(const LoaderReady& ready) {
  m_facts.ready = ready;
  if (m_run.m_settings.warmupSeconds <= 0) startMeter(m_clock.now());
}

void LoaderRun::Repeat::take(const LoaderFirst& first) {
  m_facts.first = first;
  if (!m_run.m_nodes) m_run.m_nodes = nodesOf(m_run.m_loader, first);
  m_begin.totals.nodes.resize(nodes().ids.size());  // all zero in a span that has begun
  m_gotBatch = true;
  m_wake.notifyAll();
}

void LoaderRun::Repeat::startMeter(SteadyTime at) {
  m_meter.emplace(limits(), at);
  if (m_meter->measuring()) beginSpan();
}

void LoaderRun::Repeat::beginSpan() {
  m_begin = edge();
  m_beginFamily = m_family;
  if (m_run.m_settings.gpu != nullptr) m_run.m_settings.gpu->beginSpan();
  m_measuring = true;
  m_newPhase = true;
  m_wake.notifyAll();
}

void LoaderRun::Repeat::endSpan() {
  m_end = edge();
  if (m_run.m_settings.gpu != nullptr) m_gpu = m_run.m_settings.gpu->figures();
  m_ended = true;
}

void LoaderRun::Repeat::take(const LoaderBatches& batches) {
  if (m_ended) return;
  const std::uint64_t count = batches.batches - m_batches.batches;
  const std::uint64_t rows = batches.samples - m_batches.samples;
  m_batches = batches;
  if (count == 0) return;
  if (!m_meter) startMeter(batches.at);
  for (const std::uint64_t wait : batches.waits) m_meter->waited(wait);
  const SpanMeter::Event event = m_meter->arrived(batches.at, rows, count);
  if (event == SpanMeter::Event::Began) beginSpan();
  if (event != SpanMeter::Event::Ended) return;
  endSpan();
  askToEnd();
}

void LoaderRun::Repeat::take(const LoaderTimes& times) {
  if (!m_ended) m_times = times;
}

void LoaderRun::Repeat::take(const LoaderEpoch& epoch) { m_epoch = epoch; }

void LoaderRun::Repeat::take(const LoaderEmpty& empty) {
  if (empty.later) return take(LoaderExhausted{});
  fail(fmt::format("{}: the loader yields nothing: its first epoch has no batch", nameOfFile()));
}

void LoaderRun::Repeat::take(const LoaderExhausted&) {
  if (m_ended) return;
  const std::string after =
      fmt::format("the loader ended after {} batches", grouped(m_batches.batches));
  if (!m_measuring || m_meter->batches() == 0)
    return fail(fmt::format(
        "{}: {}, before the warm-up of {} was over, because it can be iterated "
        "over only once: {}, or the setting `warmup` may be 0",
        nameOfFile(), after, humanSeconds(m_run.m_settings.warmupSeconds), kNameFunction));
  m_endedEarly =
      fmt::format("{}, because it can be iterated over only once: {}", after, kNameFunction);
  endSpan();
}

void LoaderRun::Repeat::take(const PythonTrouble& trouble) {
  fail(sentenceOf(trouble, nameOfFile(), m_run.m_loader.interpreter.string()) + framesOf(trouble));
}

void LoaderRun::Repeat::take(const LoaderLeft& left) {
  fail(fmt::format("{} ended the program: sys.exit({})", nameOfFile(), left.code));
}

void LoaderRun::Repeat::take(const LoaderExited& exited) {
  m_exited = true;
  fail(fmt::format("{}: {}", nameOfFile(), howItEnded(exited)));
}

void LoaderRun::Repeat::fail(std::string reason) {
  if (m_ended) return;
  if (m_measuring) endSpan();
  m_ended = true;
  m_failure = std::move(reason);
}

void LoaderRun::Repeat::judgeEnd(const TrialEnd& end) {
  const MutexLock lock(m_mutex);
  if (m_ended || m_exited) return;
  const std::string interpreter = m_run.m_loader.interpreter.string();
  const std::string said = lastLine(end.errors);
  if (!m_sampler)
    return fail(fmt::format("{} could not begin; it must be Python 3.8 or later{}{}", interpreter,
                            said.empty() ? "" : ": ", said));
  fail(fmt::format("{}: the process that guards the loader ended: {}", nameOfFile(), wordsOf(end)));
}

SpanEdge LoaderRun::Repeat::edge() {
  FamilySample now = m_sampler->sample();
  // Processes that have just ended took their figures with them.
  if (now.host.cpuSeconds < m_family.host.cpuSeconds) {
    now.host.cpuSeconds = m_family.host.cpuSeconds;
    now.host.majorFaults = m_family.host.majorFaults;
    now.programCpuSeconds = m_family.programCpuSeconds;
    now.workers = m_family.workers;
  }
  m_family = now;
  return {totals(), now.host};
}

RunTotals LoaderRun::Repeat::totals() const {
  RunTotals totals;
  totals.at = m_clock.now();
  totals.samples = m_batches.samples;
  totals.batches = m_batches.batches;
  totals.stepSeconds = static_cast<double>(m_batches.stepNs) * 1e-9;
  totals.nominalStepSeconds = m_run.m_loader.stepSeconds * static_cast<double>(m_batches.batches);
  if (!m_gotBatch) return totals;
  totals.nodes.resize(nodes().ids.size());
  for (NodeTotals& node : totals.nodes) node.items = node.timedItems = m_batches.batches;
  if (nodes().inside > 0)
    addInside(totals.nodes);
  else
    totals.nodes[0].timedNs = m_batches.waitNs;
  if (m_run.m_loader.stepSeconds > 0) totals.nodes.back().timedNs = m_batches.stepNs;
  return totals;
}

void LoaderRun::Repeat::addInside(std::vector<NodeTotals>& nodes) const {
  const std::vector<std::string>& ids = this->nodes().ids;
  const std::size_t inside = this->nodes().inside;
  for (std::size_t i = 0; i < inside; ++i) nodes[i].timedItems = m_times.timed;
  for (const auto& [step, nanoseconds] : m_times.steps) {
    // A step that the first repeat did not have is other code.
    const auto found = std::find(ids.begin(), ids.begin() + std::ptrdiff_t(inside) - 1, step);
    nodes[static_cast<std::size_t>(found - ids.begin())].timedNs += nanoseconds;
  }
}

std::optional<SpanFigures> LoaderRun::Repeat::figures() {
  const MutexLock lock(m_mutex);
  if (!m_measuring || m_meter->batches() == 0) return std::nullopt;
  SpanFigures span =
      figuresBetween(m_begin, m_end, m_meter->seconds(), m_meter->windows(), m_meter->waits());
  // By the meter: a line about the last batches may come after the end.
  span.samples = m_meter->samples();
  span.batches = m_meter->batches();
  span.inputBytesPerSecond.reset();
  span.accelerator = m_gpu;
  addNodes(span);
  return span;
}

void LoaderRun::Repeat::addNodes(SpanFigures& span) const {
  for (std::size_t i = 0; i < m_end.totals.nodes.size(); ++i) {
    NodeTotals totals = m_end.totals.nodes[i];
    totals -= m_begin.totals.nodes[i];
    NodeFigures& node = span.nodes.emplace_back();
    node.id = node.kind = nodes().ids[i];
    node.items = totals.items;
    node.busySeconds = totals.busySeconds();
    node.meanMs = totals.meanMs();
  }
  const double all = m_end.host.cpuSeconds - m_begin.host.cpuSeconds;
  const double program = std::clamp(m_family.programCpuSeconds - m_beginFamily.programCpuSeconds,
                                    0.0, std::max(0.0, all));
  span.stages.push_back({"program", 1, program, {}, {}});
  if (m_family.workers > 0)
    span.stages.push_back({"workers", m_family.workers, all - program, {}, {}});
}

bool LoaderRun::Repeat::gotBatch() {
  const MutexLock lock(m_mutex);
  return m_gotBatch;
}

std::string LoaderRun::Repeat::failure() {
  const MutexLock lock(m_mutex);
  return m_failure;
}

std::optional<LoaderEpoch> LoaderRun::Repeat::epoch() {
  const MutexLock lock(m_mutex);
  return m_epoch;
}

std::optional<LoaderRun::Shares> LoaderRun::Repeat::shares() {
  const MutexLock lock(m_mutex);
  if (m_batches.waitNs == 0) return std::nullopt;
  const double all = static_cast<double>(m_batches.waitNs + m_batches.stepNs);
  Shares shares;
  shares.wait = static_cast<double>(m_batches.waitNs) / all;
  if (m_times.queueLooks > 0)
    shares.queueEmpty =
        static_cast<double>(m_times.queueEmpty) / static_cast<double>(m_times.queueLooks);
  if (m_times.starts == 0) return shares;
  const auto starts = static_cast<double>(m_times.startNs);
  shares.start = starts / all;
  shares.startSeconds = starts * 1e-9 / static_cast<double>(m_times.starts);
  return shares;
}

std::string LoaderRun::Repeat::endedEarly() {
  const MutexLock lock(m_mutex);
  return m_endedEarly;
}

RunPhase LoaderRun::Repeat::phase() const {
  return {m_index, m_run.m_settings.repeats, !m_measuring, std::max(0.0, secondsLeft())};
}

double LoaderRun::Repeat::secondsLeft() const {
  const MeasureSettings& settings = m_run.m_settings;
  const double length = m_measuring ? settings.seconds.value_or(0) : settings.warmupSeconds;
  return m_meter ? length - m_meter->elapsed(m_clock.now()) : length;
}

LoaderRun::Repeat::Update LoaderRun::Repeat::collect() {
  Update update;
  if (!m_gotBatch) return update;
  update.begins = !std::exchange(m_announced, true);
  if (update.begins || m_newPhase) update.phase = phase();
  m_newPhase = false;
  if (!m_meter) return update;
  const std::vector<RateWindow>& windows = m_meter->windows();
  update.windows.assign(windows.begin() + static_cast<std::ptrdiff_t>(m_windowsReported),
                        windows.end());
  m_windowsReported = windows.size();
  return update;
}

void LoaderRun::Repeat::report(const Update& update) {
  LoaderRunObserver& observer = m_run.m_observer;
  if (update.begins && m_index == 0) {
    LoaderFacts facts;
    {
      const MutexLock lock(m_mutex);
      facts = m_facts;
    }
    observer.onLoader(facts);
  }
  if (update.phase) observer.onPhase(*update.phase);
  for (const RateWindow& window : update.windows) observer.onWindow(m_index, window);
  if (update.snapshot) observer.onSnapshot(*update.snapshot);
}

void LoaderRun::Repeat::sampleLoop() {
  setThreadName("sampler");
  SteadyTime next = m_clock.now() + kSnapshotEvery;
  while (const auto update = nextUpdate(next)) report(*update);
}

std::optional<LoaderRun::Repeat::Update> LoaderRun::Repeat::nextUpdate(SteadyTime& next) {
  const MutexLock lock(m_mutex);
  bool due = false;
  const auto isNews = [this]() MILLRACE_NO_THREAD_SAFETY_ANALYSIS {
    return m_done || (m_gotBatch && (m_newPhase || !m_announced));
  };
  while (!isNews() && !due) due = !m_wake.waitUntil(m_mutex, next);
  if (m_done) return std::nullopt;
  Update update = collect();
  if (due) {
    next += kSnapshotEvery;
    watchPatience();
    if (m_gotBatch && !m_ended) update.snapshot = snapshot();
  }
  return update;
}

void LoaderRun::Repeat::watchPatience() {
  const double silent = toSeconds(m_clock.now() - m_lastNews);
  if (m_asked && toSeconds(m_clock.now() - *m_asked) > kGuardSeconds) m_process.stop();
  const double patience = m_run.m_loader.patienceSeconds;
  if (m_ended || silent < patience + m_run.m_loader.stepSeconds) return;
  fail(fmt::format("{}: no batch came in {}; the setting `patience` allows more", nameOfFile(),
                   humanSeconds(patience)));
  askToEnd();
}

RunSnapshot LoaderRun::Repeat::snapshot() {
  RunSnapshot snapshot;
  const SpanEdge now = edge();
  snapshot.phase = phase();
  snapshot.seconds = toSeconds(m_clock.now() - m_started);
  snapshot.totals = now.totals;
  snapshot.host = now.host;
  if (m_run.m_settings.gpu != nullptr) snapshot.gpu = m_run.m_settings.gpu->news();
  if (m_meter) snapshot.measuredBatches = m_meter->batches();
  snapshot.batchLimit = m_run.m_settings.batches.value_or(0);
  return snapshot;
}

}  // namespace millrace
