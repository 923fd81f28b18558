// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <sched.h>
#include <unistd.h>

#include <QFile>
#include <QHash>
#include <QList>
#include <QMetaObject>
#include <QObject>

namespace millrace::tests {

/// Measures the longest time for which this thread's event loop was blocked: another thread posts
/// an event every few milliseconds. Time in which this thread was ready but had no core, or in
/// which the host of a virtual machine used its core, is subtracted, so that a busy machine does
/// not count as a stall of ours. Lives in the watched thread.
class StallWatch {
 public:
  StallWatch() : m_delay(runDelayMs()), m_knocker([this] { knock(); }) {}
  ~StallWatch() {
    m_over = true;
    m_knocker.join();
  }
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;
  double worstMs() const { return m_worst; }

 private:
  using Clock = std::chrono::steady_clock;

  static double runDelayMs() {
    QFile file("/proc/thread-self/schedstat");
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return 1e-6 * file.readAll().split(' ').value(1).toDouble();
  }

  /// Milliseconds that the host took from each core, by the core's name in /proc/stat.
  using Stolen = QHash<QByteArray, double>;

  static Stolen stolenMs() {
    Stolen stolen;
    QFile file("/proc/stat");
    if (!file.open(QIODevice::ReadOnly)) return stolen;
    const double tick = 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    for (;;) {
      const QList<QByteArray> words = file.readLine().simplified().split(' ');
      if (!words[0].startsWith("cpu")) return stolen;
      stolen[words[0]] = tick * words.value(8).toDouble();
    }
  }

  /// The time taken since then from the core that this thread runs on.
  static double stolenSince(const Stolen& before) {
    const QByteArray core = "cpu" + QByteArray::number(sched_getcpu());
    return stolenMs().value(core) - before.value(core);
  }

  void knock() {
    while (!m_over) {
      if (!m_waiting.exchange(true)) {
        const Stolen stolen = stolenMs();
        QMetaObject::invokeMethod(
            &m_door, [this, at = Clock::now(), stolen] { answer(at, stolen); },
            Qt::QueuedConnection);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  void answer(Clock::time_point knocked, const Stolen& stolen) {
    const double delay = runDelayMs();
    double late = std::chrono::duration<double, std::milli>(Clock::now() - knocked).count();
    late -= delay - m_delay;
    // It counts in steps of several milliseconds, and is slow to read.
    if (late > m_worst && late > 20) late -= stolenSince(stolen);
    m_worst = std::max(m_worst, late);
    m_delay = delay;
    m_waiting = false;
  }

  QObject m_door;
  double m_delay = 0;
  double m_worst = 0;
  std::atomic<bool> m_waiting = false;
  std::atomic<bool> m_over = false;
  std::thread m_knocker;  // Last: it uses the others.
};

}  // namespace millrace::tests
