// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/mutex.h"
#include "core/cuda/stream.h"

namespace millrace::tests {

/// Blocks an emulated stream until it is opened.
class StreamGate {
 public:
  Status holdUp(Stream& stream) {
    return stream.enqueue("gate", [this] { wait(); });
  }
  void open() {
    const MutexLock lock(m_mutex);
    m_open = true;
    m_changed.notifyAll();
  }
  void wait() {
    const MutexLock lock(m_mutex);
    while (!m_open) m_changed.wait(m_mutex);
  }

 private:
  Mutex m_mutex;
  Condition m_changed;
  bool m_open MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace::tests
