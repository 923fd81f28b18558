// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#charts: charts and painted views as pictures, drawings and tables.
#include <QApplication>
#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/charts/core_panel.h"
#include "widgets/charts/figures_panel.h"
#include "widgets/charts/node_time_panel.h"
#include "widgets/charts/view_export.h"

namespace millrace {

namespace {

using tests::RecordedRun;
using Shown = tests::ShownChart;

}  // namespace

class TestChartExport : public QObject {
  Q_OBJECT
 private slots:
  void aChartIsCopiedAsPictureAndTable() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    copyPicture(shown.panel.description());
    QCOMPARE(QApplication::clipboard()->image().size(), shown.surface()->size() * 2);
    copyTable(shown.panel.description());
    QVERIFY(QApplication::clipboard()->text().startsWith("seconds,1 s windows (samples/s),"));
  }

  void aChartIsSavedAsPictureDrawingAndTable() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    const QTemporaryDir folder;
    for (const char* name : {"chart.png", "chart.svg", "chart.csv"})
      VERIFY_OK(shown.panel.exportTo(folder.filePath(name)));
    QImage picture(folder.filePath("chart.png"));
    QCOMPARE(picture.size(), shown.surface()->size() * 2);
    QFile drawing(folder.filePath("chart.svg"));
    QVERIFY(drawing.open(QIODevice::ReadOnly));
    const QByteArray svg = drawing.readAll();
    QVERIFY(svg.contains("<path") && svg.contains("warm-up") && svg.contains("median so far"));
    QFile table(folder.filePath("chart.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QByteArrayList rows = table.readAll().trimmed().split('\n');
    QCOMPARE(rows[0], QByteArray("seconds,1 s windows (samples/s),median so far (samples/s)"));
    QVERIFY2(rows.last().contains(",267.606,261.492"), rows.last());
  }

  void paintedViewsCanBeSavedAndFrozen() {
    RecordedRun recorded(RecordedRun::isMeasured);
    const QTemporaryDir folder;
    NodeTimePanel times;
    CorePanel cores;
    FiguresPanel figures;
    for (PaintedView* view : std::initializer_list<PaintedView*>{&times, &cores, &figures}) {
      view->resize(300, 220);
      view->setVisible(true);
      view->refresh(recorded.run, {});
    }
    figures.freezeAction()->setChecked(true);
    const auto frozen = figures.figures();
    recorded.feedTo({});
    for (PaintedView* view : std::initializer_list<PaintedView*>{&times, &cores, &figures}) {
      view->refresh(recorded.run, {});
      for (const char* name : {"v.png", "v.svg", "v.csv", "v.json"})
        VERIFY_OK(view->exportTo(folder.filePath(name)));
      QVERIFY(QImage(folder.filePath("v.png")).size() == QSize(600, 440));
      QFile drawing(folder.filePath("v.svg"));
      QVERIFY(drawing.open(QIODevice::ReadOnly));
      QVERIFY(drawing.readAll().contains("<text"));
      QVERIFY(!view->exportTo(folder.filePath("v.pdf")).ok());
    }
    QCOMPARE(figures.figures(), frozen);
    figures.freezeAction()->setChecked(false);
    figures.refresh(recorded.run, {});
    QVERIFY(figures.figures() != frozen);
    const TextTable table = figures.table();
    QCOMPARE(table.rows[0][0].toString(), QString("samples_per_second"));
    QVERIFY(std::abs(table.rows[0][1].toDouble() - 262) < 1);
    QCOMPARE(table.rows[0][2].toString(), QString("samples/s"));
  }

  void separatorsInCellsSurviveTheExport() {
    const TextTable table{{"name", "value"}, {{"a, \"b\"", 0.5}, {"c", QVariant()}}};
    QCOMPARE(csvText(table), std::string("name,value\n\"a, \"\"b\"\"\",0.5\nc,\n"));
    const QJsonArray rows =
        QJsonDocument::fromJson(QByteArray::fromStdString(jsonText(table))).array();
    QCOMPARE(rows[0]["name"].toString(), QString("a, \"b\""));
    QVERIFY(rows[1]["value"].isNull());
  }

  void anImpossibleExportIsExplained() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    QVERIFY(!shown.panel.exportTo("/tmp/chart.pdf").ok());
    const Status nowhere = shown.panel.exportTo("/nowhere/at/all/chart.png");
    QVERIFY(!nowhere.ok());
    QVERIFY(nowhere.error().message.find("/nowhere/at/all/chart.png: ") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestChartExport;
MILLRACE_TEST_CASE(TestChartExport)
#include "tst_chart_export.moc"
