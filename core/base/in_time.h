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

/// Runs `work` on a new thread and returns its result, or nullopt if it has not returned after
/// `patience`. Some driver calls never return; after a timeout the thread is detached and keeps
/// everything that `work` captured, so `work` must not refer to anything that the caller owns. Any
/// thread.
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
