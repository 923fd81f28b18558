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

/// The longest time for which this thread's event loop did not turn, while it lives: a thread of
/// its own knocks every few milliseconds. Time in which this thread was ready and got no core, or
/// in which the host of a virtual machine ran others on the core that this thread has, is taken
/// off, so that a busy machine is no stall of ours. Lives in the thread that it watches.
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

  /// Milliseconds that the host took from each core, by the name of its line in /proc/stat.
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

  /// Since then, from the core that this thread runs on.
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
    // Counted in steps of several milliseconds, and slow to ask for.
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
