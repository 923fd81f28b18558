// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader_session.h"

#include <algorithm>
#include <chrono>

namespace millrace {

LoaderSession::LoaderSession(std::shared_ptr<const PreparedPipeline> prepared,
                             std::shared_ptr<const CacheSet> cacheSet,
                             std::unique_ptr<Executor> made, std::shared_ptr<DeviceUser> user,
                             const Clock& clock)
    : m_user(std::move(user)),
      pipeline(std::move(prepared)),
      caches(std::move(cacheSet)),
      executor(std::move(made)),
      m_returns({[this](BatchSlot& slot) { executor->release(slot); },
                 [this](const Error& error) { executor->fail(error); }},
                clock) {}

LoaderSession::~LoaderSession() { m_scope = enterDevice(); }

std::unique_ptr<DeviceScope> LoaderSession::enterDevice() const {
  return executor->device() ? executor->device()->enter() : nullptr;
}

void LoaderSession::start() {
  const MutexLock lock(m_mutex);
  m_begin = edgeNow();
  executor->start();
}

/// No wait covers a batch and a GPU event at once, and an event cannot announce a slot that another
/// thread returns meanwhile; hence polling.
Executor::Pull LoaderSession::next(SteadyTime until, BatchSlot*& slot) {
  constexpr auto kPollInterval = std::chrono::milliseconds(2);
  if (!executor->device()) return executor->next(until, slot);
  const auto scope = enterDevice();
  for (;;) {
    const bool some = m_returns.collect();
    const SteadyTime now = std::chrono::steady_clock::now();
    const Executor::Pull pull = executor->next(std::min(until, now + kPollInterval), slot);
    if (pull == Executor::Pull::Ready || pull == Executor::Pull::Ended) return pull;
    const SteadyTime then = std::chrono::steady_clock::now();
    if (some && pull == Executor::Pull::Held) {
      const MutexLock lock(m_mutex);
      m_time.stepsOnADevice(then - now);
    }
    if (then < until) continue;
    if (pull == Executor::Pull::NotYet || m_returns.collect()) return Executor::Pull::NotYet;
    // Slots returned until now are available again: ask once more.
    return executor->next(then, slot);
  }
}

void LoaderSession::giveBack(BatchSlot& slot, std::span<const ProgramStream> readers) {
  if (readers.empty())
    executor->release(slot);
  else
    m_returns.add(slot, readers);
}

void LoaderSession::asks(SteadyTime now) {
  const MutexLock lock(m_mutex);
  m_time.asks(now);
}

void LoaderSession::gets(SteadyTime now, std::uint64_t rows) {
  const MutexLock lock(m_mutex);
  m_time.gets(now, rows);
}

void LoaderSession::pauses() {
  const MutexLock lock(m_mutex);
  m_time.pauses();
}

SteadyTime LoaderSession::beganAt() const {
  const MutexLock lock(m_mutex);
  return m_begin.totals.at;
}

SpanEdge LoaderSession::edge() const {
  const MutexLock lock(m_mutex);
  return edgeNow();
}

SpanEdge LoaderSession::edgeNow() const {
  SpanEdge now{executor->totals(), m_host.sample()};
  now.totals.stepSeconds = now.totals.nominalStepSeconds = m_time.stepSeconds();
  return now;
}

SpanFigures LoaderSession::figures() const {
  const MutexLock lock(m_mutex);
  const SpanEdge now = edgeNow();
  SpanFigures figures =
      figuresBetween(pipeline->plan, m_begin.totals.stages.empty() ? now : m_begin, now,
                     m_time.stepSeconds() + m_time.waitSeconds(), m_time.windows(), m_time.waits());
  figures.stepOverNominal.reset();  // a program's steps have no nominal duration
  figures.failedSamples = executor->failures().failedSamples();
  return figures;
}

double LoaderSession::stepSeconds() const {
  const MutexLock lock(m_mutex);
  return m_time.stepSeconds();
}

double LoaderSession::waitSeconds() const {
  const MutexLock lock(m_mutex);
  return m_time.waitSeconds();
}

std::vector<RateWindow> LoaderSession::windowsFrom(std::size_t first) const {
  const MutexLock lock(m_mutex);
  const std::vector<RateWindow>& all = m_time.windows();
  return {all.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.size())), all.end()};
}

}  // namespace millrace
