// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "core/base/mutex.h"
#include "tests/core/run/run_support.h"

namespace millrace::tests {

void Gate::close() {
  const MutexLock lock(m_mutex);
  m_closed = true;
  m_visited = false;
}

void Gate::open() {
  const MutexLock lock(m_mutex);
  m_closed = false;
  m_changed.notifyAll();
}

void Gate::pass() {
  const MutexLock lock(m_mutex);
  m_visited = true;
  m_changed.notifyAll();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (m_closed && m_changed.waitUntil(m_mutex, until)) {
  }
}

bool Gate::waitForVisitor() {
  const MutexLock lock(m_mutex);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!m_visited && m_changed.waitUntil(m_mutex, until)) {
  }
  return m_visited;
}

Gate& gate() {
  static Gate one;
  return one;
}

}  // namespace millrace::tests
