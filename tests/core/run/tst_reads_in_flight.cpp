// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/reads_in_flight.h"

#include "tests/support/test_case.h"

namespace millrace {

using namespace std::chrono_literals;

/// A server that gives each read the latency, and no more than `most` reads a second; workers that
/// take `perSecond` samples each if they never wait.
class TestReadsInFlight : public QObject {
  Q_OBJECT

  static std::size_t settled(std::chrono::milliseconds latency, double perSecond,
                             std::size_t workers, double most = 1e9, std::size_t cap = 2048) {
    ReadsInFlight reads(16, cap, workers);
    SteadyTime now{1h};
    for (int step = 0; step < 200000; ++step) {
      const double inFlight = static_cast<double>(reads.now());
      const double seconds = std::chrono::duration<double>(latency).count();
      const double possible = std::min(inFlight / seconds, most);
      const double taken = std::min(possible, perSecond * static_cast<double>(workers));
      // Of a worker's time for a sample, what it does not work is waiting.
      const double each = static_cast<double>(workers) / taken;
      const double waited = each - 1 / perSecond;
      now += std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / taken));
      reads.ended(std::chrono::nanoseconds(
          static_cast<std::int64_t>(1e9 * std::max(seconds, inFlight / possible))));
      reads.taken(std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * std::max(waited, 0.0))),
                  now);
    }
    return reads.now();
  }

 private slots:
  void thereAreAsManyAsRateTimesLatency() {
    // 4 workers of 250 samples/s at 100 ms: 100 in flight.
    const std::size_t found = settled(100ms, 250, 4);
    QVERIFY2(found >= 98 && found <= 160, std::to_string(found).c_str());
    const std::size_t far = settled(150ms, 1000, 8);
    QVERIFY2(far >= 1180 && far <= 1900, std::to_string(far).c_str());
  }
  void aNearServerNeedsNoMore() { QCOMPARE(settled(1ms, 250, 4), std::size_t{16}); }
  void theCapHolds() { QCOMPARE(settled(1000ms, 1000, 8, 1e9, 300), std::size_t{300}); }
  void aSlowServerIsNotAskedForMore() {
    // 500 samples/s are all that it gives: 50 in flight are enough.
    const std::size_t found = settled(100ms, 1000, 8, 500);
    QVERIFY2(found >= 48 && found <= 256, std::to_string(found).c_str());
  }
};

}  // namespace millrace

using millrace::TestReadsInFlight;
MILLRACE_TEST_CASE(TestReadsInFlight)
#include "tst_reads_in_flight.moc"
