// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "core/base/thread_annotations.h"

namespace millrace {

/// A std::mutex that clang's thread-safety analysis can follow.
class MILLRACE_CAPABILITY("mutex") Mutex {
 public:
  void lock() MILLRACE_ACQUIRE() { m_mutex.lock(); }
  void unlock() MILLRACE_RELEASE() { m_mutex.unlock(); }

 private:
  friend class Condition;
  std::mutex m_mutex;
};

/// Holds a Mutex for a scope.
class MILLRACE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) MILLRACE_ACQUIRE(mutex) : m_mutex(mutex) { m_mutex.lock(); }
  ~MutexLock() MILLRACE_RELEASE() { m_mutex.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& m_mutex;
};

/// A condition variable for Mutex. Waits may wake up spuriously: wait in a loop on the condition.
class Condition {
 public:
  void wait(Mutex& mutex) MILLRACE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> held(mutex.m_mutex, std::adopt_lock);
    m_condition.wait(held);
    held.release();
  }
  /// False if `until` passed first.
  bool waitUntil(Mutex& mutex, std::chrono::steady_clock::time_point until)
      MILLRACE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> held(mutex.m_mutex, std::adopt_lock);
    const bool inTime = m_condition.wait_until(held, until) == std::cv_status::no_timeout;
    held.release();
    return inTime;
  }
  void notifyOne() { m_condition.notify_one(); }
  void notifyAll() { m_condition.notify_all(); }

 private:
  std::condition_variable m_condition;
};

}  // namespace millrace
