// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/inter_core_latency.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/clock.h"
#include "core/metrics/disturbance.h"

namespace millrace {

namespace {

constexpr int kRounds = 200;  ///< per try, which takes 12 to 80 us
constexpr int kTries = 20;    ///< the best one counts; in others a thread may have lost its core
constexpr std::chrono::milliseconds kMostMeeting{20};
constexpr std::chrono::milliseconds kRetryInterval{50};
constexpr double kNotSeen = 0;

std::atomic<double> g_usual{kNotSeen};

/// Two cores that the calling thread may use.
std::optional<std::pair<int, int>> twoCores() {
  cpu_set_t may;
  CPU_ZERO(&may);
  if (::sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) < 2) return std::nullopt;
  int first = 0;
  while (!CPU_ISSET(first, &may)) ++first;
  int second = first + 1;
  while (!CPU_ISSET(second, &may)) ++second;
  return std::pair{first, second};
}

void stayOn(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  (void)::sched_setaffinity(0, sizeof only, &only);
}

/// Shared by both threads; on a separate cache line.
struct alignas(64) Line {
  std::atomic<int> turn{0};
  std::atomic<bool> over{false};  ///< the threads did not start in time

  bool await(int mine, SteadyTime until) {
    for (int looked = 0; turn.load(std::memory_order_acquire) != mine; ++looked) {
      if (over.load(std::memory_order_relaxed)) return false;
      if (looked % 1024 == 1023 && std::chrono::steady_clock::now() > until) over = true;
    }
    return true;
  }
};

}  // namespace

std::optional<double> interCoreLatencySeconds() {
  const auto cores = twoCores();
  if (!cores) return std::nullopt;
  Line line;
  const SteadyTime until = std::chrono::steady_clock::now() + kMostMeeting;
  double best = 0;
  const auto answer = [&] {
    stayOn(cores->second);
    for (int round = 0; round <= kTries * kRounds && line.await(1, until); ++round) line.turn = 0;
  };
  const auto ask = [&] {
    stayOn(cores->first);
    // The first round trip waits for the other thread to start.
    line.turn = 1;
    for (int i = 0; i < kTries && line.await(0, until); ++i) {
      const SteadyTime began = std::chrono::steady_clock::now();
      for (int round = 0; round < kRounds; ++round) {
        line.turn.store(1, std::memory_order_release);
        if (!line.await(0, until)) return;
      }
      const double seconds = toSeconds(std::chrono::steady_clock::now() - began) / kRounds;
      best = best > 0 ? std::min(best, seconds) : seconds;
    }
    line.turn = 1;
  };
  try {
    const std::jthread answers(answer);
    const std::jthread asks(ask);
  } catch (const std::system_error&) {
    return std::nullopt;  // The system allows no further threads.
  }
  if (best <= 0) return std::nullopt;
  noteInterCoreLatency(best);
  return best;
}

std::optional<double> usualInterCoreLatency() {
  const double usual = g_usual;
  return usual > kNotSeen ? std::optional(usual) : std::nullopt;
}

void noteInterCoreLatency(double seconds) {
  double usual = g_usual;
  while ((usual <= kNotSeen || seconds < usual) && !g_usual.compare_exchange_weak(usual, seconds)) {
  }
}

double interCoreLatencyChange(double seconds, double usual) {
  return seconds > 0 ? std::max(0.0, 1 - usual / seconds) : 0;
}

void awaitUsualInterCoreLatency(const std::function<bool()>& stopped,
                                const std::function<void()>& waits) {
  const SteadyTime began = std::chrono::steady_clock::now();
  bool notified = false;
  while (!stopped()) {
    const auto now = interCoreLatencySeconds();
    if (!now ||
        interCoreLatencyChange(*now, usualInterCoreLatency().value_or(*now)) <= kDisturbedExchange)
      return;
    if (toSeconds(std::chrono::steady_clock::now() - began) > kMostCoreWaitSeconds) {
      g_usual = *now;
      return;
    }
    if (!std::exchange(notified, true) && waits) waits();
    std::this_thread::sleep_for(kRetryInterval);
  }
}

}  // namespace millrace
