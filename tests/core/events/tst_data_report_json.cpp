// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/data_report_json.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

DataReport filled() {
  DataReport report;
  report.path = "/data/pets";
  SetReport set;
  set.name = "train";
  set.path = "/data/pets/train";
  set.kind = "class folders";
  set.node = "photos";
  set.partsOfFiles = true;
  set.samples = 10;
  set.examined = 9;
  set.resumed = 4;
  set.bytes = 12345;
  set.classes = {"cat", "n\xf1"};
  set.perClass = {4, 5};
  set.unlabelled = 1;
  set.pictures = 8;
  set.width = {10, 20, 30};
  set.height = {11, 21, 31};
  set.decodeTimes["1 to 2 ms"] = 8;
  set.proportions["4:3"] = 8;
  set.formats["JPEG"] = 8;
  set.channels["3 (colour)"] = 8;
  set.bits["8"] = 8;
  set.orientations["6"] = 2;
  set.mean = {0.5, 0.25, 0.125};
  set.deviation = {0.2, 0.1, 0.3};
  set.slowest = {{"a.jpg", "/data/pets/train/a.jpg", 4000, 3000, 99, 93.5}};
  report.sets.push_back(set);
  ReportedFinding finding;
  finding.finding = Finding::NearDuplicate;
  finding.count = 3;
  finding.samples = {{"train", "b\xff.jpg", "/pets/b\xff.jpg", "", "train", "a.jpg", "/pets/a.jpg"},
                     {"train", "c.jpg", "", "why", "", "", ""}};
  report.findings.push_back(finding);
  report.notes = {"a note"};
  report.seconds = 1.5;
  report.workers = 2;
  report.interrupted = true;
  report.next = "millrace run";
  return report;
}

}  // namespace

class TestDataReportJson : public QObject {
  Q_OBJECT
 private slots:
  void aReportComesBackAsItWasWritten() {
    const DataReport report = filled();
    const auto back = parseDataReport(dataReportJson(report));
    QVERIFY(back.has_value());
    // Written again, every key has the same value.
    QCOMPARE(dataReportJson(*back), dataReportJson(report));
    QCOMPARE(back->findings.at(0).samples.at(0).name, std::string("b\xff.jpg"));
    QCOMPARE(back->findings.at(0).samples.at(0).file, std::string("/pets/b\xff.jpg"));
    QCOMPARE(back->findings.at(0).samples.at(0).likeFile, std::string("/pets/a.jpg"));
    QVERIFY(back->findings.at(0).samples.at(1).file.empty());
    QCOMPARE(back->sets.at(0).classes.at(1), std::string("n\xf1"));
    QVERIFY(back->findings.at(0).finding == Finding::NearDuplicate);
    QCOMPARE(back->sets.at(0).slowest.at(0).milliseconds, 93.5);
    QCOMPARE(back->sets.at(0).width.median, 20U);
    QCOMPARE(back->sets.at(0).deviation.at(2), 0.3);
    QVERIFY(back->interrupted);
  }

  void theEventOfAReportIsReadLikeTheReport() {
    const std::string line = dataReportEvent(12.5, filled());
    QVERIFY(line.find('\n') == std::string::npos);
    QVERIFY(line.find("\"event\":\"result\"") != std::string::npos);
    QVERIFY(line.find("\"outcome\":\"interrupted\"") != std::string::npos);
    QCOMPARE(dataReportJson(*parseDataReport(line)), dataReportJson(filled()));
  }

  void hostileTextIsBounded() {
    QVERIFY(!parseDataReport("").has_value());
    QVERIFY(!parseDataReport("[]").has_value());
    const auto back = parseDataReport(
        R"({"sets": [1, {"samples": -1, "mean": "x"}], "findings": [{"finding": "no"}], "seconds": "1"})");
    QVERIFY(back.has_value());
    QCOMPARE(back->sets.size(), std::size_t{2});
    QCOMPARE(back->sets[1].samples, std::uint64_t{0});
  }
};

}  // namespace millrace

using millrace::TestDataReportJson;
MILLRACE_TEST_CASE(TestDataReportJson)
#include "tst_data_report_json.moc"
