// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#charts: traffic of disks and network over time, running and kept.
#include <algorithm>
#include <cmath>

#include <QJsonDocument>
#include <QJsonObject>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "tests/widgets/shown_chart.h"

namespace millrace {

namespace {

using tests::plain;
using tests::RecordedRun;
using tests::ShownChart;

/// A line of the stream as written while all programs read `disk` MB/s, of which the engine 40.
QByteArray withTraffic(const QByteArray& line, double disk, double sent) {
  QJsonObject event = QJsonDocument::fromJson(line).object();
  if (event["event"].toString() != "snapshot") return line;
  const double bytes = 1e6 * event["seconds"].toDouble();
  event["traffic"] = QJsonObject{{"disk_read_bytes", std::round(5e12 + disk * bytes)},
                                 {"disk_written_bytes", 7000},
                                 {"network_received_bytes", QJsonValue()},
                                 {"network_sent_bytes", std::round(sent * bytes)},
                                 {"process_read_bytes", std::round(40 * bytes)}};
  return QJsonDocument(event).toJson(QJsonDocument::Compact);
}

std::function<QByteArray(QByteArray)> traffic(double disk, double sent) {
  return [=](const QByteArray& line) { return withTraffic(line, disk, sent); };
}

QStringList namesIn(const ChartContent& content) {
  QStringList names;
  for (const ChartLine& line : content.lines) names << line.name;
  return names;
}

/// Whether all values are this one; repeats are apart.
bool isSteady(const TimeSeries& series, double value) {
  return series.points().size() > 10 &&
         std::ranges::all_of(series.points(), [&](const TimeSeries::Point& point) {
           return std::isnan(point.value) || std::abs(point.value - value) < 1e-3;
         });
}

}  // namespace

class TestTrafficCharts : public QObject {
  Q_OBJECT
 private slots:
  void disksAreAChartInMegabytesPerSecond() {
    RecordedRun recorded({}, traffic(120, 0));
    const ChartContent content = diskOf(recorded.run);
    QCOMPARE(content.unit, QString("MB/s"));
    QCOMPARE(namesIn(content), QStringList({"read", "written", "read by the engine"}));
    QVERIFY(isSteady(content.lines[0].values, 120));
    QVERIFY(isSteady(content.lines[1].values, 0));
    QVERIFY(isSteady(content.lines[2].values, 40));
    ShownChart shown(recorded.run, diskOf);
    const QString footer = plain(shown.panel.footer());
    QVERIFY2(footer.startsWith("read: n "), qPrintable(footer));
    QVERIFY2(footer.contains("median 120 ·") && footer.endsWith("MB/s"), qPrintable(footer));
    QCOMPARE(shown.chart().valueAxis().high, 150.0);
    QCOMPARE(shown.chart().valueAxis().word(150), QString("150"));
  }

  void anIdleNetworkIsAFlatLineAtZero() {
    RecordedRun recorded({}, traffic(0, 0.002));
    ShownChart shown(recorded.run, networkOf);
    QCOMPARE(namesIn(shown.chart().content()), QStringList({"sent"}));
    QCOMPARE(shown.chart().valueAxis().high, 1.0);
  }

  void whatIsNotCountedIsASentenceAndNoLine() {
    RecordedRun older;
    QVERIFY(diskOf(older.run).lines.empty() && networkOf(older.run).lines.empty());
    ShownChart shown(older.run, networkOf);
    QVERIFY(shown.chart().isHidden());
    QCOMPARE(shown.panel.footer(), QString("Network traffic is not counted on this machine."));
    older.run.finish({});
    shown.panel.refresh(older.run, {});
    QCOMPARE(shown.panel.footer(), QString("Network traffic was not measured in this run."));
    LiveRun none;
    shown.panel.refresh(none, {});
    QCOMPARE(shown.panel.footer(), QString("Network traffic appears here during a run."));
  }

  void aCounterThatStartsAgainIsAGapAndNoPeak() {
    RecordedRun recorded;
    LiveRun run;
    run.begin("demo", {1, 3, 1}, {});
    double time = 0;
    const auto take = [&](auto content) {
      StreamEvent event;
      event.time = time;
      event.content = std::move(content);
      run.take(event);
    };
    take(RunPhase{.repeat = 0, .repeats = 1});
    for (int i = 0; i < 60; ++i, time += 0.2) {
      SnapshotEvent snapshot;
      snapshot.seconds = time;
      // Without the disk that was removed after 6 s, less was read in all.
      snapshot.flows[Flow::DiskRead] = (i < 30 ? 100'000'000U : 0U) + 200'000U * i;
      if (i >= 40 && i < 48) snapshot.flows[Flow::DiskRead].reset();
      take(snapshot);
    }
    const ChartContent content = diskOf(run);
    QVERIFY(isSteady(content.lines[0].values, 1));
    QVERIFY(std::ranges::any_of(content.lines[0].values.points(),
                                [](const auto& point) { return std::isnan(point.value); }));
    QVERIFY(!content.lines[0].values.at(9.5));
  }
};

}  // namespace millrace

using millrace::TestTrafficCharts;
MILLRACE_TEST_CASE(TestTrafficCharts)
#include "tst_traffic_charts.moc"
