// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/in_parallel.h"

#include <exception>
#include <thread>
#include <vector>

#include "core/base/mutex.h"

namespace millrace {

namespace {

/// Keeps the first exception. Thread-safe.
class Guarded {
 public:
  explicit Guarded(const std::function<void()>& work) : m_work(work) {}

  void call() {
    try {
      m_work();
    } catch (...) {
      const MutexLock lock(m_mutex);
      if (!m_thrown) m_thrown = std::current_exception();
    }
  }

  void rethrow() {
    const MutexLock lock(m_mutex);
    if (m_thrown) std::rethrow_exception(m_thrown);
  }

 private:
  const std::function<void()>& m_work;
  Mutex m_mutex;
  std::exception_ptr m_thrown MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace

void inParallel(std::size_t threads, const std::function<void()>& work) {
  Guarded guarded(work);
  {
    std::vector<std::jthread> others(threads > 0 ? threads - 1 : 0);
    try {
      for (std::jthread& other : others) other = std::jthread([&guarded] { guarded.call(); });
    } catch (const std::exception&) {
      // Fewer threads do the same work.
    }
    guarded.call();
  }
  guarded.rethrow();
}

}  // namespace millrace
