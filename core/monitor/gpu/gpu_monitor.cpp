// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_monitor.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <string_view>

#include "core/base/mutex.h"
#include "core/base/thread_name.h"

namespace millrace {

namespace {

constexpr std::size_t kKept = 100;

double threadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

struct GpuMonitor::State {
  // Constant after construction.
  std::unique_ptr<GpuLibrary> library;
  std::string name;
  std::chrono::milliseconds period;
  // Used only by the thread.
  std::unique_ptr<GpuSampler> sampler;

  mutable Mutex mutex;
  mutable Condition changed;
  std::deque<GpuSample> fresh MILLRACE_GUARDED_BY(mutex);
  GpuMeans means MILLRACE_GUARDED_BY(mutex);
  std::string ended MILLRACE_GUARDED_BY(mutex);
  bool closing MILLRACE_GUARDED_BY(mutex) = false;
  bool done MILLRACE_GUARDED_BY(mutex) = false;

  void loop();
  bool waitFor(SteadyTime next);
  bool keep(SteadyTime at, Result<GpuValues> taken, std::optional<double> cost);
};

/// False once the monitor is closed.
bool GpuMonitor::State::waitFor(SteadyTime next) {
  const MutexLock lock(mutex);
  bool due = std::chrono::steady_clock::now() >= next;
  while (!closing && !due) due = !changed.waitUntil(mutex, next);
  return !closing;
}

bool GpuMonitor::State::keep(SteadyTime at, Result<GpuValues> taken, std::optional<double> cost) {
  const MutexLock lock(mutex);
  if (!taken) {
    ended = taken.error().message;
    return false;
  }
  taken->monitorCpuShare = cost;
  means.add(*taken);
  fresh.push_back({at, *taken});
  if (fresh.size() > kKept) fresh.pop_front();
  return true;
}

void GpuMonitor::State::loop() {
  setThreadName("gpu");
  SteadyTime next = std::chrono::steady_clock::now();
  double spent = threadCpuSeconds();
  std::optional<SteadyTime> last;
  bool between = false;  // half way between two samples
  while (waitFor(next)) {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (between) {
      sampler->poll(now);
    } else {
      Result<GpuValues> taken = sampler->sample(now);
      const double cpu = threadCpuSeconds();
      std::optional<double> cost;
      if (last && now > *last) cost = (cpu - spent) / toSeconds(now - *last);
      spent = cpu;
      last = now;
      if (!keep(now, std::move(taken), cost)) break;
    }
    const bool looks = sampler->needsPoll(period);
    between = looks && !between;
    next = nextTick(next, std::chrono::steady_clock::now(), looks ? period / 2 : period);
  }
  sampler.reset();
  library.reset();
  const MutexLock lock(mutex);
  done = true;
  changed.notifyAll();
}

SteadyTime nextTick(SteadyTime due, SteadyTime now, std::chrono::nanoseconds period) {
  return std::max(due + period, now + period / 2);
}

Result<std::unique_ptr<GpuMonitor>> GpuMonitor::start(const GpuMonitorOptions& options) {
  const char* const wanted = std::getenv("MILLRACE_GPU_FIGURES");
  if (wanted != nullptr && std::string_view(wanted) == "0")
    return Error{"MILLRACE_GPU_FIGURES=0 turns GPU monitoring off"};
  MILLRACE_ASSIGN_OR_RETURN(auto opened, openGpus(options.library, options.patience));
  const std::vector<GpuDevice>& devices = opened.devices;
  const Result<GpuChoice> choice =
      chooseGpu(devices, options.visibility ? *options.visibility : gpuVisibility(devices));
  if (!choice) return choice.error();
  auto state = std::make_shared<State>();
  state->library = std::move(opened.library);
  state->period = options.period;
  state->sampler = std::make_unique<GpuSampler>(*state->library, devices, *choice, options.asker);
  state->name = state->sampler->name();
  return std::unique_ptr<GpuMonitor>(new GpuMonitor(state->name, state));
}

GpuMonitor::GpuMonitor(std::string name, std::shared_ptr<State> state)
    : m_name(std::move(name)),
      m_state(std::move(state)),
      m_thread([kept = m_state] { kept->loop(); }) {}

GpuMonitor::~GpuMonitor() {
  {
    const MutexLock lock(m_state->mutex);
    m_state->closing = true;
    m_state->changed.notifyAll();
  }
  if (waitForEnd(std::chrono::steady_clock::now() + std::chrono::seconds(2)))
    m_thread.join();
  else
    m_thread.detach();
}

GpuNews GpuMonitor::news() {
  const MutexLock lock(m_state->mutex);
  GpuNews news{m_name, {m_state->fresh.begin(), m_state->fresh.end()}, m_state->ended};
  m_state->fresh.clear();
  return news;
}

void GpuMonitor::beginSpan() {
  const MutexLock lock(m_state->mutex);
  m_state->means = {};
}

GpuFigures GpuMonitor::figures() const {
  const MutexLock lock(m_state->mutex);
  return {m_name, m_state->means.values(), m_state->means.samples(), m_state->ended};
}

bool GpuMonitor::waitForEnd(SteadyTime until) const {
  const MutexLock lock(m_state->mutex);
  bool late = false;
  while (!m_state->done && !late) late = !m_state->changed.waitUntil(m_state->mutex, until);
  return m_state->done;
}

}  // namespace millrace
