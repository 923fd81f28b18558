// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/in_parallel.h"

#include <array>
#include <atomic>
#include <new>

#include "tests/support/test_case.h"

namespace millrace {

class TestInParallel : public QObject {
  Q_OBJECT
 private slots:
  void everyPartIsDoneOnceWhateverTheThreads_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {0, 1, 2, 9}) QTest::addRow("%d threads", threads) << threads;
  }
  void everyPartIsDoneOnceWhateverTheThreads() {
    QFETCH(int, threads);
    std::array<std::atomic<int>, 1000> done{};
    std::atomic<std::size_t> next{0};
    inParallel(static_cast<std::size_t>(threads), [&] {
      for (std::size_t part = next++; part < done.size(); part = next++) ++done[part];
    });
    for (const auto& times : done) QCOMPARE(times.load(), 1);
  }

  void anExceptionOfAnyThreadIsThrownWhenAllHaveEnded() {
    std::atomic<int> calls{0};
    std::atomic<int> ended{0};
    QVERIFY_EXCEPTION_THROWN(inParallel(3,
                                        [&] {
                                          const int call = calls++;
                                          ++ended;
                                          if (call == 1) throw std::bad_alloc();
                                        }),
                             std::bad_alloc);
    QCOMPARE(ended.load(), 3);
  }
};

}  // namespace millrace

using millrace::TestInParallel;
MILLRACE_TEST_CASE(TestInParallel)
#include "tst_in_parallel.moc"
