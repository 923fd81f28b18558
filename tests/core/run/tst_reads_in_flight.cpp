// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/reads_in_flight.h"

#include <deque>
#include <vector>

#include "tests/support/test_case.h"

namespace millrace {

using namespace std::chrono_literals;

/// A server that answers each read after the latency, and no more than `most` reads a second, and
/// workers that take `perSecond` samples each if they never wait.
class Simulation {
 public:
  Simulation(std::chrono::milliseconds latency, double perSecond, std::size_t workers, double most,
             std::size_t cap)
      : m_latency(latency),
        m_work(static_cast<std::int64_t>(1e9 / perSecond)),
        m_between(static_cast<std::int64_t>(1e9 / most)),
        m_reads(16, cap, workers),
        m_free(workers, m_now) {}

  /// Runs for a minute; returns the samples of its last ten seconds.
  std::size_t run() {
    for (const SteadyTime end = m_now + 60s; m_now < end; m_now += 500us) {
      readOn();
      for (SteadyTime& since : m_free) workOn(since, end - 10s);
    }
    return m_taken;
  }
  std::size_t inFlight() const { return m_reads.now(); }

 private:
  void readOn() {
    while (!m_flying.empty() && m_flying.front().end <= m_now) {
      m_reads.ended(m_flying.front().end - m_flying.front().begin);
      m_flying.pop_front();
      m_hasEnded = true;
      ++m_ready;
    }
    // Like ReadAhead, which learns a sample's size from the first.
    const std::size_t most = m_hasEnded ? m_reads.now() : 1;
    while (m_flying.size() < most &&
           m_flying.size() + m_ready < 2 * m_reads.now() + m_free.size()) {
      m_last = std::max(m_last + m_between, m_now + m_latency);
      m_flying.push_back({m_now, m_last});
    }
  }
  void workOn(SteadyTime& since, SteadyTime counted) {
    while (since <= m_now && m_ready > 0) {
      --m_ready;
      m_reads.taken(m_now - since, m_now);
      since = m_now + m_work;
      if (m_now >= counted) ++m_taken;
    }
  }

  struct Flying {
    SteadyTime begin;
    SteadyTime end;
  };
  const std::chrono::nanoseconds m_latency;
  const std::chrono::nanoseconds m_work;
  const std::chrono::nanoseconds m_between;
  SteadyTime m_now{1h};
  SteadyTime m_last{};
  ReadsInFlight m_reads;
  std::vector<SteadyTime> m_free;  ///< since when each worker is, or will be
  std::deque<Flying> m_flying;
  bool m_hasEnded = false;
  std::size_t m_ready = 0;
  std::size_t m_taken = 0;
};

class TestReadsInFlight : public QObject {
  Q_OBJECT

  static void runs(Simulation simulation, std::size_t samples, std::size_t least,
                   std::size_t most) {
    const std::size_t taken = simulation.run();
    QVERIFY2(taken >= samples, std::to_string(taken).c_str());
    const std::size_t found = simulation.inFlight();
    QVERIFY2(found >= least && found <= most, std::to_string(found).c_str());
  }

 private slots:
  void thereAreAsManyAsRateTimesLatency() {
    // 4 workers of 250 samples/s: 100 in flight at 100 ms, 150 at 150 ms.
    runs({100ms, 250, 4, 1e9, 2048}, 9500, 95, 200);
    runs({150ms, 250, 4, 1e9, 2048}, 9500, 143, 300);
    runs({150ms, 1000, 8, 1e9, 2048}, 76000, 1140, 2048);
  }
  void aNearServerNeedsNoMore() { runs({1ms, 250, 4, 1e9, 2048}, 9500, 16, 16); }
  void theCapHolds() { runs({1000ms, 1000, 8, 1e9, 300}, 2800, 300, 300); }
  void aSlowServerIsNotAskedForMore() {
    // 500 samples/s are all that it gives: 50 in flight are enough.
    runs({100ms, 1000, 8, 500, 2048}, 4800, 48, 256);
  }
};

}  // namespace millrace

using millrace::TestReadsInFlight;
MILLRACE_TEST_CASE(TestReadsInFlight)
#include "tst_reads_in_flight.moc"
