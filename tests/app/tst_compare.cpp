// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace compare`: two pipelines measured together.
#include <csignal>

#include <QDir>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestCompare : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
  }

  void keepsBothSidesWithTheirBlocksAsRepeats() {
    const Outcome compared = compare({"--repeats", "2", "--json"});
    QCOMPARE(compared.code, 0);
    const QJsonObject json = compared.json();
    QCOMPARE(json["outcome"].toString(), "finished");
    QCOMPARE(json["verdict"].toObject()["kind"].toString(), "too few");
    QCOMPARE(json["verdict"].toObject()["measured"].toString(), "together");
    QCOMPARE(json["blocks"].toArray().size(), 2);
    bool disturbed = json["replaced_blocks"].toInt() > 0;
    for (const QJsonValue& block : json["blocks"].toArray())
      disturbed = disturbed || block.toObject()["disturbed"].toBool();
    QCOMPARE(json["disturbance"].toString().contains("disturbed"), disturbed);
    QVERIFY(json["differences"].toArray().isEmpty());
    for (const char* side : {"a", "b"}) {
      QVERIFY(json[side].toObject()["samples_per_second"].toObject()["mean"].toDouble() > 0);
      QCOMPARE(json[side].toObject()["repeats"].toArray().size(), 2);
    }
    QCOMPARE(json["a"].toObject()["run_id"].toString(), "1");
    QCOMPARE(json["b"].toObject()["run_id"].toString(), "2");
    const QJsonObject kept = m_program->run({"runs", "show", "2", "--json"}).json();
    QCOMPARE(kept["state"].toString(), "finished");
    QCOMPARE(kept["repeats"].toArray().size(), 2);
  }

  void saysWhichIsFasterAndWhatDiffers() {
    const QStringList flags = {"--repeats", "5", "--set", "B:synthetic.length=1000000"};
    const Outcome compared = compare(flags);
    QCOMPARE(compared.code, 0);
    QVERIFY2(compared.out.contains("% slower than A (") ||
                 compared.out.contains(" times as fast as B ("),
             compared.out.constData());
    const QByteArray unwrapped = QByteArray(compared.out).replace("\n  ", " ");
    QVERIFY2(unwrapped.contains("5 blocks); a "), compared.out.constData());
    QVERIFY2(unwrapped.contains("or more could be detected"), compared.out.constData());
    for (const char* part :
         {"p ", "samples/s", "CPU per 1000 samples", "peak memory", "synthetic.length", "1000000",
          "kept as runs 1 and 2: millrace runs compare 1 2\n"})
      QVERIFY2(compared.out.contains(part), compared.out.constData());
    for (const QByteArray& line : compared.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
  }

  void otherDataIsNotAlike() {
    const Outcome compared =
        compare({"--repeats", "1", "--no-store", "--set", "B:synthetic.count=500"});
    QCOMPARE(compared.code, 0);
    QVERIFY2(compared.err.contains("not comparable; data: 1 000 samples"),
             compared.err.constData());
    QVERIFY2(compared.err.contains("against 500 samples"), compared.err.constData());
    QVERIFY2(compared.out.contains("no verdict, because the conditions differ (data: "),
             compared.out.constData());
  }

  void bothSidesAreKeptUnderTheLabelsAndNameEachOther() {
    const Outcome compared = compare({"--repeats", "1", "--tag", "night", "--tag", "quiet",
                                      "--name", "n", "--store", "it's.db", "--no-random"});
    QCOMPARE(compared.code, 0);
    QVERIFY2(compared.out.contains("millrace runs compare 1 2 --store 'it'\\''s.db'\n"),
             compared.out.constData());
    const QStringList store = {"--store", "it's.db"};
    const Outcome shown = m_program->run(QStringList{"runs", "show", "2"} + store);
    QCOMPARE(shown.code, 0);
    for (const char* part : {"n (B)", "night and quiet", "centred",
                             "  measured together with        run 1: millrace runs compare 1 2\n"})
      QVERIFY2(shown.out.contains(part), shown.out.constData());
    const auto json = [&](const char* run) {
      return m_program->run(QStringList{"runs", "show", run, "--json"} + store).json();
    };
    QCOMPARE(json("1")["measured_together_with"].toArray(), QJsonArray{"2"});
    QCOMPARE(m_program->run(QStringList{"runs", "delete", "2"} + store).code, 0);
    QCOMPARE(json("1")["measured_together_with"].toArray(), QJsonArray());
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline} + shortly() + store).code, 0);
    QVERIFY(json("last")["measured_together_with"].isNull());
  }

  void asManySamplesMayFailAsTheFlagSays() {
    QDir(m_program->path("")).mkpath("photos/a");
    QCOMPARE(m_program->run({"sample-data", "photos/b", "--count", "3"}).code, 0);
    m_program->write("photos/a/bad.jpg", "\xff\xd8\xff\xe0 no picture");
    const QStringList command = QStringList{"compare",
                                            "classification",
                                            "classification",
                                            "--base",
                                            m_program->path(""),
                                            "--set",
                                            "image_folder.paths=photos",
                                            "--repeats",
                                            "1",
                                            "--no-store"} +
                                quickly();
    QCOMPARE(m_program->run(command).code, 0);
    QCOMPARE(m_program->run(command + QStringList{"--max-failures", "0"}).code, 1);
    const Outcome wrong = m_program->run(command + QStringList{"--max-failures", "many"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("--max-failures: "), wrong.err.constData());
  }

  void aKeptRunIsASide() {
    QCOMPARE(
        m_program->run(QStringList{"run", m_pipeline, "--set", "batch.size=7"} + shortly()).code,
        0);
    for (const char* name : {"1", "#1", "last"}) {
      const Outcome compared =
          m_program->run(QStringList{"compare", name, m_pipeline, "--no-store", "--json"} +
                         QStringList{"--repeats", "1"} + quickly());
      QCOMPARE(compared.code, 0);
      const QJsonObject difference = compared.json()["differences"].toArray().first().toObject();
      QCOMPARE(difference["what"].toString(), "batch.size");
      QCOMPARE(difference["a"].toString(), "7");
      QCOMPARE(difference["b"].toString(), "10");
    }
  }

  void aKeptRunMeansTheSameFromAnywhere() {
    QCOMPARE(m_program->run({"sample-data", "sub/photos", "--count", "4"}).code, 0);
    const QString pipeline = m_program->write("sub/q.json", R"({"format_version": 1, "nodes": [
      {"id": "image_folder", "kind": "image_folder", "params": {"paths": ["photos"]}},
      {"id": "decode", "kind": "decode"}, {"id": "resize", "kind": "resize"},
      {"id": "batch", "kind": "batch", "params": {"size": 1}}, {"id": "drain", "kind": "drain"}],
     "wires": [{"from": "image_folder", "to": "decode"}, {"from": "decode", "to": "resize"},
      {"from": "resize", "to": "batch"}, {"from": "batch", "to": "drain"}]})");
    QCOMPARE(m_program->run(QStringList{"run", pipeline} + shortly()).code, 0);
    const Outcome compared = m_program->run(
        QStringList{"compare", "last", pipeline, "--no-store", "--json", "--repeats", "1"} +
        quickly());
    QVERIFY2(compared.code == 0, compared.err.constData());
    QVERIFY2(compared.json()["differences"].toArray().isEmpty(), compared.out.constData());
  }

  void aStoppedComparisonGoesOn() {
    auto begun = m_program->start(QStringList{"compare", m_pipeline, m_pipeline, "--events",
                                              "--repeats", "4", "--set", "B:batch.size=7"} +
                                  quickly());
    QVERIFY(!lineWith(*begun, "\"block\"").isEmpty());
    ::kill(static_cast<pid_t>(begun->processId()), SIGINT);
    const QByteArray result = lineWith(*begun, "\"result\"");
    QCOMPARE(QJsonDocument::fromJson(result)["outcome"].toString(), "interrupted");
    QVERIFY(ended(*begun));
    QCOMPARE(begun->exitCode(), 3);
    const QByteArray said = begun->readAllStandardError();
    QVERIFY2(said.contains("--set B:batch.size=7 --resume"), said.constData());

    const Outcome centred = m_program->run(
        {"compare", m_pipeline, m_pipeline, "--set", "B:batch.size=7", "--resume", "--no-random"});
    QCOMPARE(centred.code, 2);
    QVERIFY2(centred.err.simplified().contains(R"(draws was "random" and is now "centred")"),
             centred.err.constData());
    const Outcome other = compare({"--resume"});
    QCOMPARE(other.code, 2);
    QVERIFY2(other.err.contains("no stopped comparison of these two"), other.err.constData());
    const QStringList same = {"--set", "B:batch.size=7", "--json", "--resume"};
    const Outcome longer =
        m_program->run(QStringList{"compare", m_pipeline, m_pipeline, "--seconds", "9"} + same);
    QCOMPARE(longer.code, 2);
    QVERIFY2(longer.err.simplified().contains("was measured with seconds"), longer.err.constData());

    const Outcome rest = m_program->run(QStringList{"compare", m_pipeline, m_pipeline} + same);
    QCOMPARE(rest.code, 0);
    QCOMPARE(rest.json()["blocks"].toArray().size(), 4);
    QCOMPARE(rest.json()["a"].toObject()["run_id"].toString(), "1");
    const QJsonObject kept = m_program->run({"runs", "show", "1", "--json"}).json();
    QCOMPARE(kept["state"].toString(), "finished");
    QCOMPARE(kept["repeats"].toArray().size(), 4);
    const Outcome over = m_program->run(QStringList{"compare", m_pipeline, m_pipeline} + same);
    QCOMPARE(over.code, 2);
  }

  void aStopRequestIsAnswered() {
    auto begun = m_program->start(
        QStringList{"compare", m_pipeline, m_pipeline, "--events", "--seconds", "1000"});
    QVERIFY(!lineWith(*begun, "\"progress\"").isEmpty());
    begun->write(
        "{\"id\": 1, \"request\": \"set\", \"node\": \"a\", \"param\": \"b\", "
        "\"value\": 1}\n{\"id\": 2, \"request\": \"stop\"}\n");
    QVERIFY(!QJsonDocument::fromJson(lineWith(*begun, "\"answer\""))["ok"].toBool(true));
    QVERIFY(QJsonDocument::fromJson(lineWith(*begun, "\"answer\""))["ok"].toBool());
    QVERIFY(!lineWith(*begun, "\"result\"").isEmpty());
    QVERIFY(ended(*begun));
    QCOMPARE(begun->exitCode(), 3);
  }

  void refusesBadArguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const QString p = "p.json";
    QTest::newRow("one side") << QStringList{p} << QByteArray("B");
    QTest::newRow("no such example")
        << QStringList{p, "clasification"} << QByteArray("did you mean classification");
    QTest::newRow("no such run") << QStringList{"99", p} << QByteArray("no run");
    QTest::newRow("a setting of one side")
        << QStringList{p, p, "--set", "B:batch.sise=3"} << QByteArray("B: ");
    QTest::newRow("resume without a store")
        << QStringList{p, p, "--no-store", "--resume"} << QByteArray("--no-store");
    QTest::newRow("nothing to resume")
        << QStringList{p, p, "--resume"} << QByteArray("no stopped comparison");
    QTest::newRow("no blocks") << QStringList{p, p, "--repeats", "0"} << QByteArray("--repeats");
  }
  void refusesBadArguments() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Outcome compared = m_program->run(QStringList{"compare"} + arguments);
    QCOMPARE(compared.code, 2);
    QVERIFY2(compared.err.contains(says), compared.err.constData());
    QVERIFY(compared.out.isEmpty());
  }

  void aSideThatFailsEndsItWithOne() {
    QDir(m_program->path("")).mkpath("photos/a");
    for (int i = 0; i < 4; ++i)
      m_program->write(QString("photos/a/%1.jpg").arg(i), "\xff\xd8\xff\xe0 no picture");
    const Outcome compared =
        m_program->run(QStringList{"compare", "classification", "classification", "--data",
                                   "photos", "--repeats", "1"} +
                       quickly());
    QCOMPARE(compared.code, 1);
    QVERIFY2(compared.out.contains("failed: "), compared.out.constData());
    QCOMPARE(m_program->run({"runs", "show", "1", "--json"}).json()["state"].toString(), "failed");
  }

 private:
  static QStringList quickly() { return {"--seconds", "0.1", "--warmup", "0"}; }
  Outcome compare(const QStringList& flags) {
    return m_program->run(QStringList{"compare", m_pipeline, m_pipeline} + quickly() + flags);
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestCompare)

}  // namespace millrace::tests

#include "tst_compare.moc"
