// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/base/mutex.h"

namespace millrace {

/// What `work` gives, if it does within that time; it runs on a thread of its own, because some
/// calls into a driver never return. Nothing: it has not ended, and is left behind with all that it
/// holds, which must not be anything that ends with the caller. Any thread.
template <class Work>
std::optional<std::invoke_result_t<Work>> inTime(std::chrono::milliseconds patience, Work work) {
  struct Outcome {
    Mutex mutex;
    Condition changed;
    std::optional<std::invoke_result_t<Work>> value MILLRACE_GUARDED_BY(mutex);
  };
  const auto outcome = std::make_shared<Outcome>();
  std::thread thread([outcome, work = std::move(work)]() mutable {
    auto value = work();
    const MutexLock lock(outcome->mutex);
    outcome->value.emplace(std::move(value));
    outcome->changed.notifyAll();
  });
  const auto until = std::chrono::steady_clock::now() + patience;
  std::optional<std::invoke_result_t<Work>> value;
  {
    const MutexLock lock(outcome->mutex);
    bool late = false;
    while (!outcome->value && !late) late = !outcome->changed.waitUntil(outcome->mutex, until);
    value = std::exchange(outcome->value, std::nullopt);
  }
  if (value)
    thread.join();
  else
    thread.detach();
  return value;
}

}  // namespace millrace
