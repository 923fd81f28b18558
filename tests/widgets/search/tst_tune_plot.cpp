// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work: speed against cost of the settings that a tuning has tried.
#include "widgets/tune/tune_plot.h"

#include <QFile>
#include <QSignalSpy>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/tune_from_events.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

using tests::threads;
using tests::TuneFromEvents;

}  // namespace

class TestTunePlot : public QObject {
  Q_OBJECT
 private slots:
  void theChartCanBeUsedByKeysAndExported() {
    TuneFromEvents source;
    source.all();
    TunePlot plot(source.tune);
    plot.resize(500, 320);
    plot.show();
    QCOMPARE(plot.shown(), (std::vector<std::size_t>{0, 1, 2}));
    for (const std::size_t t : plot.shown())
      QCOMPARE(plot.trialAt(plot.placeOf(t)), std::optional(t));
    QVERIFY(plot.placeOf(1).y() < plot.placeOf(2).y());
    QSignalSpy taken(&plot, &TunePlot::trialTaken);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.chosen(), std::optional<std::size_t>(1));
    QVERIFY2(plot.accessibleDescription().contains("180 samples/s"),
             qPrintable(plot.accessibleDescription()));
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(taken.size(), 1);
    plot.setCost(TunePlot::Cost::Cores);
    QCOMPARE(plot.shown().size(), 3U);
    const tests::TemporaryFolder folder;
    for (const char* name : {"a.png", "a.svg", "a.csv", "a.json"})
      VERIFY_OK(plot.exportTo(fileText(folder.path() / name)));
    QFile csv(fileText(folder.path() / "a.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[2].startsWith("workers.count 2,measured once,180,1.8,60000000,1.5,1,1,41"),
             lines[2].constData());
  }

  /// Crowded, at the top and at the axes.
  void namesInTheChartHideNoPointAndStayInside() {
    const std::vector<std::vector<std::pair<double, double>>> cases = {
        {{50, 5e7}, {95.2, 9e7}},                                 // hardly any room above the best
        {{100, 5e7}, {180, 6e7}, {186, 6.02e7}, {184, 5.95e7}},   // the best has others above it
        {{100, 5e7}, {180, 6e7}, {192, 6.01e7}, {199, 5.5e7}},    // others off the line
        {{100, 5e7}, {99, 5.02e7}, {101, 4.98e7}, {98, 5.05e7}},  // all are neighbours
        {{95, 5e7}, {95.2, 5e7}},                                 // on top of each other
        {{95.2, 5e7}}};
    for (std::size_t c = 0; c < cases.size(); ++c) {
      TuneFromEvents tuned;
      const int best = cases[c].size() > 1 ? 1 : 0;
      for (std::size_t t = 0; t < cases[c].size(); ++t) {
        const int trial = static_cast<int>(t);
        if (trial > 0) tuned.begin(trial, {threads(trial + 1)});
        tuned.end(trial, cases[c][t].first, cases[c][t].second,
                  cases[c][t].first / cases[c][0].first, trial == 0 ? 0 : best);
      }
      TunePlot plot(tuned.tune);
      for (const QSize size : {QSize(500, 320), QSize(900, 500), QSize(300, 220)}) {
        plot.resize(size);
        std::vector<QRectF> names;
        for (const std::size_t t : plot.shown())
          if (const QRectF name = plot.nameBoxOf(t); !name.isNull()) names.push_back(name);
        QCOMPARE(names.size(), best == 0 ? 1U : 2U);
        if (names.size() == 2) QVERIFY(!names[0].intersects(names[1]));
        for (const QRectF& name : names) {
          QVERIFY2(plot.area().contains(name), qPrintable(QString("case %1").arg(c)));
          for (const std::size_t t : plot.shown())
            QVERIFY2(!name.adjusted(-5, -5, 5, 5).contains(plot.placeOf(t)),
                     qPrintable(QString("case %1").arg(c)));
        }
      }
    }
  }
};

}  // namespace millrace

using millrace::TestTunePlot;
MILLRACE_TEST_CASE(TestTunePlot)
#include "tst_tune_plot.moc"
