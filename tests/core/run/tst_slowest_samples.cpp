// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/slowest_samples.h"

#include <thread>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

void took(SlowestSamples& slowest, std::uint32_t index, std::uint64_t ns) {
  if (slowest.isSlow(ns)) slowest.keep({.index = index, .ns = ns});
}

}  // namespace

class TestSlowestSamples : public QObject {
  Q_OBJECT
 private slots:
  void theSlowestAreKeptWhateverTheirOrder() {
    SlowestSamples slowest;
    // Every time from 0 to 999 once, in an order that jumps.
    for (std::uint32_t i = 0; i < 1000; ++i) took(slowest, i, i * 7919 % 1000);
    const SlowestSamples::List list = slowest.list();
    QCOMPARE(list.timed, std::uint64_t{1000});
    QCOMPARE(list.timedNs, std::uint64_t{999 * 500});
    QCOMPARE(list.samples.size(), SlowestSamples::kKept);
    for (std::size_t i = 0; i < list.samples.size(); ++i) {
      QCOMPARE(list.samples[i].ns, 999 - i);
      QCOMPARE(list.samples[i].index * 7919 % 1000, list.samples[i].ns);
    }
  }

  void beginForgets() {
    SlowestSamples slowest;
    took(slowest, 1, 500);
    slowest.begin();
    QVERIFY(slowest.list().samples.empty());
    QCOMPARE(slowest.list().timed, std::uint64_t{0});
    took(slowest, 2, 100);
    const SlowestSamples::List list = slowest.list();
    QCOMPARE(list.samples.size(), std::size_t{1});
    QCOMPARE(list.samples.front().index, 2U);
    QCOMPARE(list.timedNs, std::uint64_t{100});
  }

  void listsOfSeveralThreadsAreMerged() {
    SlowestSamples even;
    SlowestSamples odd;
    for (std::uint32_t i = 0; i < 200; ++i) took(i % 2 == 0 ? even : odd, i, 1000 + i);
    SlowestSamples::List all = even.list();
    all.add(odd.list());
    QCOMPARE(all.timed, std::uint64_t{200});
    QCOMPARE(all.samples.size(), SlowestSamples::kKept);
    for (std::uint32_t i = 0; i < all.samples.size(); ++i) QCOMPARE(all.samples[i].index, 199 - i);
  }

  void oneThreadWritesWhileAnotherReadsAndBegins() {
    SlowestSamples slowest;
    std::thread writer([&] {
      for (std::uint32_t i = 0; i < 100'000; ++i) took(slowest, i, i % 1000 + 1);
    });
    for (int i = 0; i < 200; ++i) {
      const SlowestSamples::List list = slowest.list();
      std::uint64_t ns = 0;
      for (const TimedSample& sample : list.samples) ns += sample.ns;
      QVERIFY(list.samples.size() <= SlowestSamples::kKept);
      QVERIFY(ns <= SlowestSamples::kKept * 1000);
      if (i % 20 == 0) slowest.begin();
    }
    writer.join();
  }
};

}  // namespace millrace

using millrace::TestSlowestSamples;
MILLRACE_TEST_CASE(TestSlowestSamples)
#include "tst_slowest_samples.moc"
