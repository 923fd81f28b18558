// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/thread_counters.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/base/helper_cpu.h"

namespace millrace {

namespace {

std::uint64_t readClock(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000ULL +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

void ThreadCounters::enter() {
  pthread_getcpuclockid(pthread_self(), &m_clock);
  m_cpuAtEnter = readClock(CLOCK_THREAD_CPUTIME_ID);
  HelperCpu::countThread(&m_helperCpuNs);
  m_id.store(gettid(), std::memory_order_release);
  m_alive.store(true, std::memory_order_release);
}

void ThreadCounters::leave() {
  HelperCpu::countThread(nullptr);
  m_finalCpuNs = readClock(CLOCK_THREAD_CPUTIME_ID) - m_cpuAtEnter;
  m_alive.store(false, std::memory_order_release);
}

std::uint64_t ThreadCounters::cpuNs() const {
  const std::uint64_t helpers = m_helperCpuNs.load(std::memory_order_relaxed);
  if (m_alive.load(std::memory_order_acquire)) {
    const std::uint64_t now = readClock(m_clock);
    if (now >= m_cpuAtEnter && m_alive.load(std::memory_order_acquire))
      return now - m_cpuAtEnter + helpers;
  }
  return m_finalCpuNs + helpers;
}

void TimingSampler::took(std::uint64_t ns) {
  constexpr double kClockNs = 25;
  constexpr double kShare = 0.004;
  m_meanNs =
      m_meanNs == 0 ? static_cast<double>(ns) : 0.9 * m_meanNs + 0.1 * static_cast<double>(ns);
  const double cost = kClockNs * static_cast<double>(m_readings + 1);
  m_every = static_cast<std::uint64_t>(
      std::clamp(std::ceil(cost / (kShare * std::max(1.0, m_meanNs))), 1.0, 4096.0));
  m_count = 0;
}

}  // namespace millrace
