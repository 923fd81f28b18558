// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/store_recorder.h"

#include <nlohmann/json.hpp>

#include "core/base/text/text.h"
#include "core/base/thread_name.h"
#include "core/base/version.h"
#include "core/measure/store_figures.h"
#include "core/monitor/traffic.h"

namespace millrace {

namespace {

struct ToSetting {
  SettingValue operator()(bool value) const { return value; }
  SettingValue operator()(std::int64_t value) const { return value; }
  SettingValue operator()(double value) const { return value; }
  SettingValue operator()(const std::string& value) const { return validUtf8(value); }
  SettingValue operator()(const RealList& value) const { return nlohmann::json(value).dump(); }
  SettingValue operator()(const TextList& value) const {
    nlohmann::json list = nlohmann::json::array();
    for (const std::string& text : value) list.push_back(validUtf8(text));
    return list.dump();
  }
};

std::vector<std::string> queuesOf(const Plan& plan) {
  std::vector<std::string> queues;
  for (const PlanQueue& queue : plan.queues) queues.push_back(queue.id);
  return queues;
}

}  // namespace

SettingValue settingValueOf(const Value& value) { return std::visit(ToSetting{}, value); }

std::vector<SettingRecord> settingsOf(const Plan& plan) {
  std::vector<SettingRecord> settings;
  for (const CheckedNode& node : plan.pipeline.nodes)
    for (const auto& [param, value] : node.values)
      settings.push_back({node.id, param, settingValueOf(value)});
  return settings;
}

Result<std::unique_ptr<StoreRecorder>> StoreRecorder::begin(
    const std::filesystem::path& file, const RunLabels& labels, const Plan& plan,
    const std::string& pipelineName, const std::string& pipelineJson,
    const std::vector<std::pair<std::string, std::string>>& environment) {
  NewRun run;
  run.experiment = labels.experiment;
  run.name = labels.name;
  run.tags = labels.tags;
  run.pipelineName = validUtf8(pipelineName);
  run.pipelineJson = pipelineJson;
  run.engineVersion = engineVersion();
  run.settings = settingsOf(plan);
  run.environment = environment;
  return begin(file, run, queuesOf(plan));
}

Result<std::unique_ptr<StoreRecorder>> StoreRecorder::begin(
    const std::filesystem::path& file, const NewRun& run, const std::vector<std::string>& queues) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  MILLRACE_ASSIGN_OR_RETURN(auto number, store.beginRun(run));
  return std::unique_ptr<StoreRecorder>(new StoreRecorder(std::move(store), number, queues));
}

Result<std::unique_ptr<StoreRecorder>> StoreRecorder::goOn(const std::filesystem::path& file,
                                                           RunNumber run, const Plan& plan) {
  return goOn(file, run, queuesOf(plan));
}

Result<std::unique_ptr<StoreRecorder>> StoreRecorder::goOn(const std::filesystem::path& file,
                                                           RunNumber run,
                                                           const std::vector<std::string>& queues) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  return std::unique_ptr<StoreRecorder>(new StoreRecorder(std::move(store), run, queues));
}

StoreRecorder::StoreRecorder(RunStore store, RunNumber run, const std::vector<std::string>& queues)
    : m_run(run), m_store(std::move(store)), m_thread([this] { loop(); }) {
  m_series = {{"samples_per_second", {}}, {"process.cpu_share", {}}, {"process.rss_bytes", {}}};
  for (const std::string& queue : queues) m_series.push_back({"queue.fill/" + queue, {}});
  m_flowSeries = m_series.size();
  for (const FlowSpec& spec : flowSpecs()) m_series.push_back({std::string(spec.metric), {}});
  m_gpuSeries = m_series.size();
  for (const GpuField& field : gpuFields()) m_series.push_back({gpuMetric(field), {}});
}

StoreRecorder::~StoreRecorder() { (void)close(); }

Status StoreRecorder::close() {
  {
    const MutexLock lock(m_mutex);
    m_closing = true;
    m_changed.notifyAll();
  }
  if (m_thread.joinable()) m_thread.join();
  return m_kept;
}

void StoreRecorder::push(Job job) {
  const MutexLock lock(m_mutex);
  m_jobs.push_back(std::move(job));
  m_changed.notifyAll();
}

void StoreRecorder::loop() {
  setThreadName("store");
  for (;;) {
    Job job;
    {
      const MutexLock lock(m_mutex);
      while (m_jobs.empty() && !m_closing) m_changed.wait(m_mutex);
      if (m_jobs.empty()) return;
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
    }
    if (Status done = job(m_store); !done && m_kept.ok()) m_kept = std::move(done);
  }
}

void StoreRecorder::onPhase(const RunPhase& phase) {
  if (m_repeatBegun && phase.repeat == m_repeat) return;
  m_repeat = phase.repeat;
  m_repeatBegun = true;
  m_last.reset();
  push([this, index = static_cast<std::int64_t>(phase.repeat)](RunStore& store) -> Status {
    auto repeat = store.beginRepeat(m_run, index);
    m_repeatId.reset();
    if (!repeat) return repeat.error();
    m_repeatId = *repeat;
    return {};
  });
}

void StoreRecorder::addPoint(std::size_t series, double seconds, double value) {
  m_series[series].points.push_back({seconds, value});
}

void StoreRecorder::onSnapshot(const RunSnapshot& snapshot) {
  if (m_last) {
    const double span = snapshot.seconds - m_last->seconds;
    const auto samples = static_cast<double>(snapshot.totals.samples - m_last->totals.samples);
    if (span > 0) {
      addPoint(0, snapshot.seconds, samples / span);
      addPoint(1, snapshot.seconds, (snapshot.host.cpuSeconds - m_last->host.cpuSeconds) / span);
    }
  }
  if (snapshot.host.memory.rssBytes)
    addPoint(2, snapshot.seconds, static_cast<double>(*snapshot.host.memory.rssBytes));
  addFillPoints(snapshot);
  addFlowPoints(snapshot);
  addGpuPoints(snapshot);
  m_last = snapshot;
  if (++m_snapshots % 10 == 0) flushSeries();
  // Windows renew the heartbeat as well, but a warm-up has no windows.
  if (m_snapshots % 50 == 0) heartbeat();
}

/// The mean fill since the last snapshot, so that the points agree with the fill of the repeat. An
/// observed engine may not count it; then the point is the fill at the snapshot.
void StoreRecorder::addFillPoints(const RunSnapshot& snapshot) {
  for (std::size_t q = 0; q < snapshot.totals.queues.size(); ++q) {
    const QueueTotals& now = snapshot.totals.queues[q];
    const bool goesOn = m_last && q < m_last->totals.queues.size();
    const QueueTotals before = goesOn ? m_last->totals.queues[q] : QueueTotals{};
    const double seconds = now.seconds - before.seconds;
    addPoint(3 + q, snapshot.seconds,
             seconds > 0 ? (now.fillSeconds - before.fillSeconds) / seconds
                         : static_cast<double>(now.fill));
  }
}

void StoreRecorder::addFlowPoints(const RunSnapshot& snapshot) {
  if (!m_last || !(snapshot.seconds > m_last->seconds)) return;
  std::size_t series = m_flowSeries;
  for (const FlowSpec& spec : flowSpecs()) {
    if (const auto bytes = growthOf(m_last->host.flows[spec.flow], snapshot.host.flows[spec.flow]))
      addPoint(series, snapshot.seconds,
               static_cast<double>(*bytes) / (snapshot.seconds - m_last->seconds));
    ++series;
  }
}

/// Ten points a second, each at its own time.
void StoreRecorder::addGpuPoints(const RunSnapshot& snapshot) {
  if (!snapshot.gpu) return;
  for (const GpuSample& sample : snapshot.gpu->samples) {
    const double seconds = snapshot.seconds - toSeconds(snapshot.totals.at - sample.at);
    // Samples from before the repeat do not belong to it.
    if (seconds < 0) continue;
    std::size_t series = m_gpuSeries;
    for (const GpuField& field : gpuFields()) {
      if (const auto& value = sample.values.*field.value; value && field.series)
        addPoint(series, seconds, *value);
      ++series;
    }
  }
}

void StoreRecorder::heartbeat() {
  push([this](RunStore& store) { return store.heartbeat(m_run); });
}

void StoreRecorder::flushSeries() {
  for (Series& series : m_series) {
    if (series.points.empty()) continue;
    push([this, metric = series.metric,
          points = std::move(series.points)](RunStore& store) -> Status {
      if (!m_repeatId) return {};
      return store.addSeries(*m_repeatId, metric, points);
    });
    series.points.clear();
  }
}

void StoreRecorder::onWindow(std::size_t, const RateWindow& window) {
  push([this, window](RunStore& store) -> Status {
    if (!m_repeatId) return {};
    return store.addWindow(*m_repeatId, {window.startSeconds, window.seconds,
                                         static_cast<std::int64_t>(window.samples),
                                         static_cast<std::int64_t>(window.batches)});
  });
}

void StoreRecorder::onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) {
  std::vector<FailureRecord> records;
  for (const FailedSample& failure : failures)
    records.push_back({validUtf8(failure.sample), validUtf8(failure.reason)});
  push([this, records, total](RunStore& store) {
    return store.addFailures(m_run, records, static_cast<std::int64_t>(total));
  });
}

void StoreRecorder::onRepeat(std::size_t, const SpanFigures& figures) {
  flushSeries();
  push([this, figures](RunStore& store) {
    return store.together([&] { return writeRepeat(store, figures); });
  });
}

Status StoreRecorder::writeRepeat(RunStore& store, const SpanFigures& figures) {
  if (!m_repeatId) return {};
  MILLRACE_TRY(store.addNodeFigures(*m_repeatId, nodeRecords(figures)));
  MILLRACE_TRY(store.addQueueFigures(*m_repeatId, queueRecords(figures)));
  MILLRACE_TRY(store.addSlowest(*m_repeatId, slowestRecords(figures)));
  std::vector<FigureRecord> records = figureRecords(figures);
  records.push_back({"slowest.timed", static_cast<double>(figures.slowest.timed)});
  records.push_back({"slowest.timed_seconds", figures.slowest.timedSeconds});
  return store.finishRepeat(*m_repeatId, records);
}

void StoreRecorder::soFar(const SpanFigures& repeat, const SpanFigures& run) {
  flushSeries();
  push([this, repeat, records = figureRecords(run)](RunStore& store) {
    return store.together([&]() -> Status {
      MILLRACE_TRY(writeRepeat(store, repeat));
      return store.setRunFigures(m_run, records);
    });
  });
}

void StoreRecorder::addEnvironment(std::vector<KeyValue> facts) {
  push([this, facts = std::move(facts)](RunStore& store) {
    return store.addEnvironment(m_run, facts);
  });
}

void StoreRecorder::finish(const RunResult& result) {
  flushSeries();
  RunState state = RunState::Finished;
  if (result.outcome == RunOutcome::Failed) state = RunState::Failed;
  if (result.outcome == RunOutcome::Interrupted) state = RunState::Interrupted;
  push([this, state, reason = validUtf8(result.reason), figures = figureRecords(result.figures)](
           RunStore& store) { return store.finishRun(m_run, state, reason, figures); });
}

}  // namespace millrace
