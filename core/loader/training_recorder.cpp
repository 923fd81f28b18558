// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/training_recorder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/thread_name.h"
#include "core/measure/store_figures.h"
#include "core/open/stored_document.h"

namespace millrace {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{200};
constexpr std::chrono::seconds kHeartbeatEvery{10};
/// Intervals grow with the elapsed time, so series grow logarithmically: 5 points per second at
/// first.
constexpr double kSnapshotShare = 1e-3;
constexpr double kFiguresShare = 2e-2;
constexpr double kLongestBetweenFigures = 10;
/// Sessions that are stored: a program may start a new one for each epoch.
constexpr std::size_t kMostRepeats = 1000;

/// The program that trains has no other place for it.
void warn(const char* what, const Error& why) {
  const std::string sentence = fmt::format("warning: {}: {}\n", what, validUtf8(why.message));
  // Unlike fmt::print, this does not throw if standard error is closed or full.
  std::fputs(sentence.c_str(), stderr);
}

SteadyTime after(SteadyTime now, double seconds) {
  return now +
         std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

TrainingRecorder::TrainingRecorder(TrainingRecord record, std::string name,
                                   std::vector<KeyValue> facts,
                                   std::shared_ptr<const PreparedPipeline> pipeline)
    : m_record(std::move(record)),
      m_name(std::move(name)),
      m_facts(std::move(facts)),
      m_pipeline(std::move(pipeline)),
      m_thread([this] { loop(); }) {}

TrainingRecorder::~TrainingRecorder() {
  {
    const MutexLock lock(m_mutex);
    m_closing = true;
    m_changed.notifyAll();
  }
  m_thread.join();
}

void TrainingRecorder::begins(std::shared_ptr<LoaderSession> session) {
  const MutexLock lock(m_mutex);
  m_session = std::move(session);
  m_begun = true;
  m_windows = m_failures = 0;
  m_nextSnapshot = m_nextFigures = SteadyTime::min();
  m_changed.notifyAll();
}

void TrainingRecorder::ends() {
  const MutexLock lock(m_mutex);
  while (m_begun && !m_opened) m_changed.wait(m_mutex);
  if (!m_session) return;
  if (m_store && m_result.repeats.size() < kMostRepeats) {
    snapshot(std::chrono::steady_clock::now());
    windowsAndFailures();
    SpanFigures last = figures();
    if (last.batches > 0) m_result.repeats.push_back(std::move(last));
  }
  const Executor& executor = *m_session->executor;
  m_failedBefore += executor.failures().failedSamples();
  m_result.outcome = executor.failed() ? RunOutcome::Failed : RunOutcome::Finished;
  m_result.reason = executor.failed() ? validUtf8(executor.error().message) : "";
  m_session.reset();
}

std::optional<RunNumber> TrainingRecorder::run() const {
  const MutexLock lock(m_mutex);
  while (m_begun && !m_opened) m_changed.wait(m_mutex);
  if (!m_store) return std::nullopt;
  return m_store->run();
}

void TrainingRecorder::loop() {
  setThreadName("training run");
  {
    const MutexLock lock(m_mutex);
    while (!m_begun && !m_closing) m_changed.wait(m_mutex);
    if (!m_begun) return;
  }
  open();
  const MutexLock lock(m_mutex);
  while (!m_closing) {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (m_store) tick(now);
    (void)m_changed.waitUntil(m_mutex, now + kTick);
  }
  finish();
}

/// Without the lock, because inspecting the machine and opening a busy store are slow.
void TrainingRecorder::open() {
  const Source& source = *m_pipeline->plan.pipeline.source;
  std::vector<KeyValue> facts = machineFacts(source);
  facts.insert(facts.end(), m_facts.begin(), m_facts.end());
  auto store = StoreRecorder::begin(m_record.file, m_record.labels, m_pipeline->plan, m_name,
                                    storedDocument(*m_pipeline), facts);
  if (!store) warn("this training is not recorded", store.error());
  const MutexLock lock(m_mutex);
  if (store) {
    m_store = store.take();
    m_fingerprint.emplace(m_pipeline->plan.pipeline.source);
  }
  m_opened = true;
  m_changed.notifyAll();
}

void TrainingRecorder::tick(SteadyTime now) {
  if (now >= m_nextHeartbeat) {
    m_nextHeartbeat = now + kHeartbeatEvery;
    m_store->heartbeat();
  }
  if (m_fingerprint && m_fingerprint->ready()) {
    m_store->addEnvironment(m_fingerprint->take());
    m_fingerprint.reset();
  }
  if (!m_session || m_result.repeats.size() >= kMostRepeats) return;
  if (now >= m_nextSnapshot) snapshot(now);
  windowsAndFailures();
  if (now >= m_nextFigures) {
    const double elapsed = toSeconds(now - m_session->beganAt());
    m_nextFigures = after(now, std::min(kLongestBetweenFigures, kFiguresShare * elapsed));
    (void)figures();
  }
}

void TrainingRecorder::snapshot(SteadyTime now) {
  RunSnapshot snapshot;
  snapshot.phase.repeat = m_result.repeats.size();
  snapshot.seconds = toSeconds(now - m_session->beganAt());
  const SpanEdge edge = m_session->edge();
  snapshot.totals = edge.totals;
  snapshot.host = edge.host;
  m_nextSnapshot = after(now, kSnapshotShare * snapshot.seconds);
  m_store->onPhase(snapshot.phase);
  m_store->onSnapshot(snapshot);
}

void TrainingRecorder::windowsAndFailures() {
  const std::size_t repeat = m_result.repeats.size();
  for (const RateWindow& window : m_session->windowsFrom(m_windows)) {
    m_store->onPhase({.repeat = repeat});
    m_store->onWindow(repeat, window);
    ++m_windows;
  }
  const FailureBudget& budget = m_session->executor->failures();
  const std::vector<FailedSample> failures = budget.failures(m_failures);
  if (failures.empty()) return;
  m_failures += failures.size();
  m_store->onFailures(failures, m_failedBefore + budget.failedSamples());
}

/// Stores the figures so far; the next call replaces them.
SpanFigures TrainingRecorder::figures() {
  SpanFigures soFar = m_session->figures();
  if (soFar.batches == 0) return soFar;
  m_store->onPhase({.repeat = m_result.repeats.size()});
  std::vector<SpanFigures> all = m_result.repeats;
  all.push_back(soFar);
  SpanFigures whole = figuresOfRun(all);
  whole.failedSamples = m_failedBefore + soFar.failedSamples;
  m_store->soFar(soFar, whole);
  return soFar;
}

void TrainingRecorder::finish() {
  if (!m_store) return;
  m_result.figures = figuresOfRun(m_result.repeats);
  m_result.figures.failedSamples = m_failedBefore;
  m_store->finish(m_result);
  if (const Status kept = m_store->close(); !kept)
    warn("this training is not recorded completely", kept.error());
}

}  // namespace millrace
