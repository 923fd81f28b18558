// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/disturbance.h"

#include <map>

#include "core/metrics/metric_spec.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::vector<std::string> disturbances(const std::map<std::string_view, double>& figures) {
  return disturbancesIn([&](std::string_view key) -> std::optional<double> {
    const auto found = figures.find(key);
    return found == figures.end() ? std::nullopt : std::optional(found->second);
  });
}

}  // namespace

class TestDisturbance : public QObject {
  Q_OBJECT
 private slots:
  void whatIsNotKnownDisturbsNothing() { QVERIFY(disturbances({}).empty()); }

  void eachHasItsLimit_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<double>("quiet");
    QTest::addColumn<double>("disturbed");
    QTest::addColumn<QString>("words");
    QTest::newRow("programs") << "other_busy_share" << 0.03 << 0.12
                              << "other programs took 12 % of the cores";
    QTest::newRow("speed") << "core_speed_change" << 0.05 << 0.09
                           << "the speed of a core changed by 9 %";
    QTest::newRow("exchange") << "core_exchange_change" << 0.6 << 0.8
                              << "inter-core latency was 5 times the usual";
    QTest::newRow("heat") << "throttles" << 0.0 << 1.0
                          << "the cores were slowed down because of heat";
    QTest::newRow("disk") << "other_disk_share" << 0.2 << 0.4
                          << "other programs caused 40 % of the disk traffic";
    QTest::newRow("page cache") << "page_cache_change" << 0.1 << 0.35
                                << "35 % of the data entered or left the page cache";
    QTest::newRow("GPU") << "accelerator.other_share" << 0.03 << 0.25
                         << "other programs used the GPU for 25 % of the time";
  }
  void eachHasItsLimit() {
    QFETCH(QString, key);
    QFETCH(double, quiet);
    QFETCH(double, disturbed);
    QFETCH(QString, words);
    const std::string name = key.toStdString();
    QVERIFY2(findMetric(name) != nullptr, name.c_str());
    QVERIFY(disturbances({{name, quiet}}).empty());
    const std::vector<std::string> all = disturbances({{name, disturbed}});
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(all.front()), words);
  }

  void undisturbedRepeatsCountAndAllIfThereIsNone() {
    using Flags = std::vector<bool>;
    QCOMPARE(countedRepeats({false, true, false}), (Flags{true, false, true}));
    QCOMPARE(countedRepeats({true, true}), (Flags{true, true}));
    QCOMPARE(countedRepeats({}), Flags{});
    QCOMPARE(countedRepeats({false, true}, RepeatsMeasured::InBlocks), (Flags{true, true}));
  }
};

}  // namespace millrace

using millrace::TestDisturbance;
MILLRACE_TEST_CASE(TestDisturbance)
#include "tst_disturbance.moc"
