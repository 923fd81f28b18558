// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_run.h"

#include <utility>

#include "core/base/text/text.h"
#include "core/measure/store_figures.h"
#include "core/monitor/inter_core_latency.h"
#include "core/own_loader/loader_repeat.h"
#include "core/own_python/python_parts.h"

namespace millrace {

LoaderNodes nodesOf(const OwnLoader& loader, const LoaderFirst& first) {
  LoaderNodes nodes;
  for (const std::string& step : first.steps) nodes.ids.push_back(validUtf8(step));
  nodes.inside = nodes.ids.size();
  if (nodes.ids.empty()) nodes.ids.emplace_back(kFetchNode);
  if (loader.stepSeconds > 0) nodes.ids.emplace_back(kStepNode);
  return nodes;
}

LoaderRun::LoaderRun(OwnLoader loader, const MeasureSettings& settings, LoaderRunObserver& observer)
    : m_loader(std::move(loader)), m_settings(settings), m_observer(observer) {}

LoaderRun::~LoaderRun() = default;

bool LoaderRun::stopped() {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

void LoaderRun::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_repeat != nullptr) m_repeat->stop();
}

/// The error says why no batch came.
Status LoaderRun::runRepeat(std::size_t index, RunResult& result) {
  if (m_settings.awaitCores)
    awaitUsualInterCoreLatency([this] { return stopped(); },
                               [&] {
                                 m_observer.onWaiting({.repeat = index,
                                                       .repeats = m_settings.repeats,
                                                       .secondsLeft = kMostCoreWaitSeconds});
                               });
  MILLRACE_ASSIGN_OR_RETURN(const auto parts, inheritedPythonParts());
  const MachineState before = machineState();
  Repeat repeat(*this, parts, index);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return {};
    m_repeat = &repeat;
  }
  const Status ran = repeat.go();
  {
    const MutexLock lock(m_mutex);
    m_repeat = nullptr;
  }
  if (!ran) return ran.error();
  if (auto figures = repeat.figures()) {
    addMachineChange(changeBetween(before, machineState()), *figures);
    m_observer.onRepeat(index, *figures);
    result.repeats.push_back(std::move(*figures));
  }
  if (m_endedEarly.empty()) m_endedEarly = repeat.endedEarly();
  if (!m_epoch) m_epoch = repeat.epoch();
  m_shares = repeat.shares();
  const std::string failure = repeat.failure();
  if (failure.empty()) return {};
  if (index == 0 && !repeat.gotBatch()) return Error{failure};
  result.outcome = RunOutcome::Failed;
  result.reason = failure;
  return {};
}

Result<RunResult> LoaderRun::run() {
  RunResult result;
  for (std::size_t i = 0; i < m_settings.repeats && result.outcome == RunOutcome::Finished; ++i) {
    MILLRACE_TRY(runRepeat(i, result));
    if (result.outcome != RunOutcome::Finished || !stopped()) continue;
    result.outcome = RunOutcome::Interrupted;
    result.reason = "stopped";
  }
  result.figures = figuresOfRun(result.repeats);
  return result;
}

}  // namespace millrace
