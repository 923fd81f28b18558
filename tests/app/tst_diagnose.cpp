// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace diagnose`: what limits a pipeline, and what to change.
#include <csignal>
#include <filesystem>
#include <vector>

#include <QJsonArray>

#include "core/tune/page_cache_control.h"
#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestDiagnose : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    QByteArray step = syntheticPipeline();
    step.replace(R"("drain", "kind": "drain")",
                 R"("drain", "kind": "emulated_step", "params": {"seconds": 0.02})");
    m_pipeline = m_program->write("p.json", step);
  }

  void namesAStepAndKeepsTheRunWithIt() {
    const Outcome done = diagnose({"--json"});
    QVERIFY2(done.code == 0, done.err.constData());
    const QJsonObject json = done.json();
    QCOMPARE(json["outcome"].toString(), "finished");
    QCOMPARE(json["limit"].toObject()["kind"].toString(), "step");
    QCOMPARE(json["limit"].toObject()["node"].toString(), "drain");
    QVERIFY(json["limit"].toObject()["sure"].toString() != "cannot tell");
    const QJsonObject evidence = json["evidence"].toArray().first().toObject();
    QCOMPARE(evidence["metric"].toString(), "step_share");
    QVERIFY(evidence["value"].toDouble() > 0.5);
    const QJsonObject stalls = json["stall_seconds_per_batch"].toObject();
    QVERIFY(stalls["step"].toDouble() > 0.5 * stalls["batch"].toDouble());
    QVERIFY(stalls["transfer"].isNull());
    QVERIFY(json["not_measured"].toArray().first().toString().contains("no device"));
    QVERIFY(json["runs"].toArray().size() >= 2);
    QCOMPARE(json["run_id"].toString(), "1");
    const QJsonObject kept = m_program->run({"runs", "show", "1", "--json"}).json();
    QCOMPARE(kept["state"].toString(), "finished");
    QCOMPARE(kept["repeats"].toArray().size(), 1);
    QCOMPARE(kept["environment"].toObject()["diagnosis_limit"].toString(), "step");
  }

  void thePageFitsAndSaysWhyAndHow() {
    const Outcome done = diagnose({"--store", m_program->path("other.sqlite")});
    QVERIFY2(done.code == 0, done.err.constData());
    for (const char* part : {"the training step", "SSSSSSSSSS", "no device", "The step is busy",
                             "what to change", "runs samples/s", "baseline", "runs show 1 --store"})
      QVERIFY2(done.out.simplified().contains(part), done.out.constData());
    QVERIFY(!done.out.contains('\x1b'));
    for (const QByteArray& line : done.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
  }

  void aLittleColdDataIsReadOnce() {
    QCOMPARE(m_program->run({"sample-data", "photos", "--kind", "imagenet", "--count", "24"}).code,
             0);
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(m_program->path("photos").toStdString()))
      if (entry.is_regular_file()) files.push_back(entry.path());
    dropFromPageCache(files.size(), [&](std::size_t i) { return files[i]; }, false);
    const Outcome done = m_program->run({"diagnose", "classification", "--data", "photos/train",
                                         "--set", "batch.size=4", "--seconds", "0.3", "--repeats",
                                         "1", "--no-store", "--json"});
    QVERIFY2(done.code == 0, done.err.constData());
    const QString found = done.json()["page_cache"].toString();
    if (!found.startsWith("Page cache: cold")) QSKIP("a file system that keeps its pages");
    QVERIFY2(found.contains("read once"), qPrintable(found));
    QVERIFY(done.json()["limit"].toObject()["kind"].toString() != "cold_storage");
  }

  void withoutAnAdvisedEditThePipelineIsWrittenUnchanged() {
    const QString file = m_program->path("edited.json");
    const Outcome done = diagnose({"--no-store", "--apply", file});
    QVERIFY2(done.code == 0, done.err.constData());
    QVERIFY2(done.out.simplified().contains(
                 "Pipeline written without a change, because no edit of the pipeline is advised"),
             done.out.constData());
    QCOMPARE(m_program->run({"check", file}).code, 0);
  }

  void aReportOfARunEndsWithWhatTheCountersSay() {
    const Outcome done = m_program->run(
        {"run", m_pipeline, "--no-store", "--seconds", "0.4", "--warmup", "0.1", "--repeats", "1"});
    QCOMPARE(done.code, 0);
    QVERIFY2(done.out.contains("the training step"), done.out.constData());
  }

  void stopsAtAnInterruptAndAtARequest() {
    auto begun = m_program->start({"diagnose", m_pipeline, "--events", "--seconds", "1000"});
    QVERIFY(!lineWith(*begun, "\"progress\"").isEmpty());
    ::kill(static_cast<pid_t>(begun->processId()), SIGINT);
    const QByteArray result = lineWith(*begun, "\"result\"");
    QCOMPARE(QJsonDocument::fromJson(result)["outcome"].toString(), "interrupted");
    QVERIFY(QJsonDocument::fromJson(result)["limit"].isNull());
    QVERIFY(ended(*begun));
    QCOMPARE(begun->exitCode(), 3);

    auto asked = m_program->start({"diagnose", m_pipeline, "--events", "--seconds", "1000"});
    QVERIFY(!lineWith(*asked, "\"progress\"").isEmpty());
    asked->write("{\"id\": 7, \"request\": \"stop\"}\n");
    QVERIFY(QJsonDocument::fromJson(lineWith(*asked, "\"answer\""))["ok"].toBool());
    QVERIFY(!lineWith(*asked, "\"result\"").isEmpty());
    QVERIFY(ended(*asked));
    QCOMPARE(asked->exitCode(), 3);
  }

  void refusesBadArguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("nothing") << QStringList{} << QByteArray("pipeline");
    QTest::newRow("no such example")
        << QStringList{"clasification"} << QByteArray("did you mean classification");
    QTest::newRow("no such parameter")
        << QStringList{"p.json", "--set", "workers.cout=3"} << QByteArray("count");
    QTest::newRow("no blocks") << QStringList{"p.json", "--repeats", "0"}
                               << QByteArray("--repeats");
    QTest::newRow("no such state")
        << QStringList{"p.json", "--page-cache", "hot"} << QByteArray("--page-cache");
    QTest::newRow("failures") << QStringList{"p.json", "--max-failures", "many"}
                              << QByteArray("--max-failures");
    QTest::newRow("both forms") << QStringList{"p.json", "--json", "--events"}
                                << QByteArray("--events");
  }
  void refusesBadArguments() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    arguments.replaceInStrings("p.json", m_pipeline);
    const Outcome refused = m_program->run(QStringList{"diagnose"} + arguments);
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains(says), refused.err.constData());
  }

 private:
  Outcome diagnose(const QStringList& flags) const {
    return m_program->run(QStringList{"diagnose", m_pipeline, "--seconds", "0.25", "--warmup", "0",
                                      "--repeats", "1"} +
                          flags);
  }
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

}  // namespace millrace::tests

using millrace::tests::TestDiagnose;
MILLRACE_TEST_CASE(TestDiagnose)
#include "tst_diagnose.moc"
