// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/run_result.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

SlowestFigures figuresOf(std::vector<SlowestSample> samples, std::uint64_t timed, double seconds) {
  SlowestFigures figures;
  figures.timed = timed;
  figures.timedSeconds = seconds;
  figures.samples = std::move(samples);
  return figures;
}

SlowestSample slow(const std::string& name, std::uint64_t times, double ms) {
  return {name, times, ms, 100, "decode", ms / 2, "JPEG by libjpeg"};
}

}  // namespace

class TestSlowestFigures : public QObject {
  Q_OBJECT
 private slots:
  void theShareIsThatOfTheTimedSamples() {
    const SlowestFigures figures = figuresOf({slow("a", 2, 50), slow("b", 1, 100)}, 1000, 1);
    QCOMPARE(figures.share().value(), 0.2);
    QCOMPARE(figures.meanMs(), 1.0);
    QVERIFY(!SlowestFigures().share());
    QCOMPARE(SlowestFigures().meanMs(), 0.0);
  }

  void aSampleOfSeveralRepeatsIsOneWithItsMean() {
    SlowestFigures figures = figuresOf({slow("a", 1, 40), slow("b", 1, 30)}, 10, 1);
    figures.add(figuresOf({slow("b", 3, 70), slow("c", 1, 10)}, 10, 3));
    QCOMPARE(figures.timed, std::uint64_t{20});
    QCOMPARE(figures.timedSeconds, 4.0);
    QCOMPARE(figures.samples.size(), std::size_t{3});
    QCOMPARE(figures.samples[0].sample, std::string("b"));
    QCOMPARE(figures.samples[0].times, std::uint64_t{4});
    QCOMPARE(figures.samples[0].meanMs, 60.0);
    QCOMPARE(figures.samples[0].nodeMs, 30.0);
    QCOMPARE(figures.samples[1].sample, std::string("a"));
    QCOMPARE(figures.samples[2].sample, std::string("c"));
  }

  void theTimeOfANodeIsThatOfThisNodeAlone() {
    SlowestFigures figures = figuresOf({slow("a", 1, 40)}, 10, 1);
    SlowestSample read = slow("a", 3, 80);
    read.node = "source";
    read.nodeMs = 72;
    read.route = "";
    figures.add(figuresOf({read}, 10, 1));
    QCOMPARE(figures.samples.front().meanMs, 70.0);
    QCOMPARE(figures.samples.front().node, std::string("source"));
    QCOMPARE(figures.samples.front().route, std::string());
    QCOMPARE(figures.samples.front().nodeMs, 54.0);
    figures.add(figuresOf({slow("a", 4, 30)}, 10, 1));
    QCOMPARE(figures.samples.front().meanMs, 50.0);
    QCOMPARE(figures.samples.front().node, std::string("source"));
    QCOMPARE(figures.samples.front().nodeMs, 27.0);
  }

  void noMoreThanAHundredAreKept() {
    SlowestFigures figures;
    for (int i = 0; i < 150; ++i) figures.add(figuresOf({slow(std::to_string(i), 1, i + 1)}, 1, 1));
    QCOMPARE(figures.samples.size(), SlowestFigures::kKept);
    QCOMPARE(figures.samples.front().sample, std::string("149"));
    QCOMPARE(figures.samples.back().sample, std::string("50"));
  }
};

}  // namespace millrace

using millrace::TestSlowestFigures;
MILLRACE_TEST_CASE(TestSlowestFigures)
#include "tst_slowest_figures.moc"
