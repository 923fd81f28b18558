// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/base/mutex.h"

namespace millrace {

/// Holds a run before each repeat until its parent requests `start`. Monitor.
class StartGate {
 public:
  /// Calls `say` and blocks until the gate is opened or stopped. After a stop it always returns at
  /// once.
  void await(const std::function<void()>& say) MILLRACE_EXCLUDES(m_mutex) {
    {
      const MutexLock lock(m_mutex);
      m_waits = true;
    }
    say();
    const MutexLock lock(m_mutex);
    while (m_waits && !m_stopped) m_changed.wait(m_mutex);
    m_waits = false;
  }
  /// Returns false if no thread is waiting.
  bool open() MILLRACE_EXCLUDES(m_mutex) {
    const MutexLock lock(m_mutex);
    const bool waited = m_waits;
    m_waits = false;
    m_changed.notifyAll();
    return waited;
  }
  void stop() MILLRACE_EXCLUDES(m_mutex) {
    const MutexLock lock(m_mutex);
    m_stopped = true;
    m_changed.notifyAll();
  }

 private:
  Mutex m_mutex;
  Condition m_changed;
  bool m_waits MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
