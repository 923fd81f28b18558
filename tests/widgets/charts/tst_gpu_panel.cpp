// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#charts, #export: exactly the figures that a GPU reports; charts of the
// machine's load; labels on bars.
#include <algorithm>
#include <cmath>

#include <QAction>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "widgets/charts/chart_link.h"
#include "widgets/charts/chart_panel.h"
#include "widgets/charts/gpu_meters.h"
#include "widgets/charts/gpu_panel.h"
#include "widgets/charts/time_chart.h"
#include "widgets/common/contrast.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

using tests::RecordedRun;

bool hasColour(const QImage& picture, Tone tone) {
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      if (picture.pixelColor(x, y) == theme()[tone]) return true;
  return false;
}

/// A line of the stream as written on a machine with a GPU; this machine may have none.
QByteArray withGpu(QByteArray line) {
  return line.replace("\"accelerator\":null",
                      "\"accelerator\":{\"name\":\"NVIDIA H200\",\"ended\":null,"
                      "\"utilisation\":0.41,\"memory_utilisation\":null,"
                      "\"memory_used_bytes\":6e10,\"memory_total_bytes\":1.5e11,"
                      "\"power_watts\":412.5,\"throttled_share\":1.0,"
                      "\"throttle_reasons\":[\"power cap\"],\"other_processes\":2.0}");
}

}  // namespace

class TestGpuPanel : public QObject {
  Q_OBJECT
 private slots:
  void withoutAGpuNoFiguresAreShown() {
    RecordedRun recorded;
    GpuPanel panel("");
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QVERIFY(!panel.words().contains('%'));
    QVERIFY2(panel.words().contains("Emulated step takes 60"), qPrintable(panel.words()));
  }

  void onlyFiguresThatTheGpuReportsAreShown() {
    RecordedRun recorded({}, withGpu);
    GpuPanel panel("");
    panel.resize(280, 200);
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QVERIFY(panel.hasFigures());
    QCOMPARE(panel.meters().title(), QString("NVIDIA H200"));
    QStringList shown;
    for (const GpuRow& row : panel.meters().rows())
      shown << row.label + ": " + QString(row.text).replace(QChar(0xA0), ' ') +
                   (row.warns ? "!" : "");
    QCOMPARE(shown, QStringList({"Busy: 41 %", "Memory: 60 of 150 GB", "Power: 412.5 W",
                                 "Throttled: power cap!", "Shared: with 2 others!"}));
    QVERIFY(panel.meters().accessibleDescription().contains("Busy 41"));
    // Nothing is cut in a dock of the usual width.
    panel.resize(200, 245);
    QVERIFY2(panel.meters().cutRows().isEmpty(), qPrintable(panel.meters().cutRows().join(", ")));
    GpuMeters alone;
    alone.show(panel.meters().title(), panel.meters().rows());
    alone.resize(200, 245);
    const QImage picture = alone.grab().toImage();
    QVERIFY(hasColour(picture, Tone::Water) && hasColour(picture, Tone::Warning));
    // The cut rows are listed.
    alone.resize(100, 245);
    QVERIFY(alone.cutRows().contains("Throttled"));
  }

  void gpuFiguresCanBeFrozenAndExported() {
    RecordedRun recorded({}, withGpu);
    RecordedRun without;
    const QTemporaryDir folder;
    GpuPanel panel("");
    panel.resize(280, 200);
    panel.setVisible(true);
    panel.refresh(without.run, {});
    QVERIFY(!panel.freezeAction()->isEnabled() && !panel.exportAction()->isEnabled());
    panel.refresh(recorded.run, {});
    QVERIFY(panel.freezeAction()->isEnabled() && panel.exportAction()->isEnabled());
    for (const char* name : {"g.png", "g.svg", "g.csv", "g.json"})
      VERIFY_OK(panel.exportTo(folder.filePath(name)));
    QVERIFY(hasColour(QImage(folder.filePath("g.png")), Tone::Water));
    QFile csv(folder.filePath("g.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QByteArrayList rows = csv.readAll().trimmed().split('\n');
    QCOMPARE(rows[0], QByteArray("metric,value"));
    QVERIFY(rows.contains("accelerator.utilisation,0.41"));
    QVERIFY(rows.contains("accelerator.power_watts,412.5"));
    panel.freezeAction()->setChecked(true);
    panel.refresh(without.run, {});
    QVERIFY(panel.hasFigures());
    panel.forget();
    panel.refresh(without.run, {});
    QVERIFY(!panel.hasFigures());
  }

  void theGpuOverTimeIsAChartIfThereIsAGpu() {
    RecordedRun recorded({}, withGpu);
    const ChartContent content = gpuBusyOf(recorded.run);
    QCOMPARE(content.lines.size(), 2U);
    QCOMPARE(*content.top, 100.0);
    QVERIFY(std::abs(content.lines[0].values.points().back().value - 41) < 1e-9);
    QVERIFY(std::abs(content.lines[1].values.points().back().value - 40) < 1e-9);
    ChartLink link;
    ChartPanel panel("GPU over time", gpuBusyOf, link);
    panel.resize(400, 200);
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QVERIFY(!panel.chart().isHidden());
    QVERIFY2(panel.footer().contains("41"), qPrintable(panel.footer()));
    // Without a GPU there is text and no empty axis.
    RecordedRun without;
    without.run.finish({});
    QVERIFY(gpuBusyOf(without.run).lines.empty());
    panel.forget();
    panel.refresh(without.run, {});
    QVERIFY(panel.chart().isHidden());
    QCOMPARE(panel.footer(), QString("The engine reported no GPU in this run."));
  }

  void afterARunTheGpusFiguresAreThoseOfTheRun() {
    // The last snapshot differs from the rest of the run.
    QByteArray last;
    for (const QByteArray& line : tests::recordedLines())
      if (line.contains("\"event\":\"snapshot\"")) last = line;
    RecordedRun recorded({}, [&](const QByteArray& line) {
      QByteArray changed = withGpu(line);
      return line == last ? changed.replace("0.41", "0.9") : changed;
    });
    GpuPanel panel("");
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    const QString live = panel.meters().rows()[0].text;
    recorded.run.finish({});
    panel.refresh(recorded.run, {});
    QVERIFY2(panel.meters().rows()[0].text != live, qPrintable(live));
  }

  void memoryAndCpuAreChartsToo() {
    RecordedRun recorded;
    const ChartContent memory = memoryOf(recorded.run);
    QCOMPARE(memory.unit, QString("MB"));
    const double most = static_cast<double>(recorded.run.peakBytes()) * 1e-6;
    const auto& points = memory.lines[0].values.points();
    QVERIFY(points.size() > 10 && points.back().value > 0);
    QVERIFY(std::ranges::all_of(points, [&](const auto& point) {
      return std::isnan(point.value) || point.value <= most + 1e-6;
    }));
    const auto isSnapshot = [](const QByteArray& line) {
      return line.contains("\"event\":\"snapshot\"");
    };
    RecordedRun going(isSnapshot);
    for (int i = 0; i < 12; ++i) going.feedTo(isSnapshot);
    const ChartContent cores = coresUsedOf(going.run);
    QCOMPARE(cores.unit, QString("cores"));
    const LiveSpan span = going.run.latest();
    QVERIFY(span.seconds > 0 && span.cpuSeconds > 0);
    QVERIFY(std::abs(cores.lines[0].values.points().back().value - span.cpuSeconds / span.seconds) <
            1e-9);
  }

  void labelsAreDrawnOnlyIfTheyFit() {
    for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
      int labelled = 0;
      for (int i = 0; i < 9; ++i) {
        const QColor ground = theme->category(static_cast<Category>(i));
        const auto ink = readableOn(ground);
        if (!ink) continue;
        QVERIFY(contrast(*ink, ground) >= 4.5);
        ++labelled;
      }
      QVERIFY2(labelled >= 7, qPrintable(QString::number(labelled)));
    }
    QVERIFY(std::abs(contrast(Qt::white, Qt::black) - 21) < 1e-6);
    QVERIFY(!readableOn(QColor(0x77, 0x80, 0x77)).has_value());
  }
};

}  // namespace millrace

using millrace::TestGpuPanel;
MILLRACE_TEST_CASE(TestGpuPanel)
#include "tst_gpu_panel.moc"
