// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Early ends of a run, and the content of its event stream.
#include <csignal>

#include <QFile>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

constexpr int kBlockedWithinMs = 60'000;

/// The program blocks SIGINT first of all; before that, any signal would end it.
bool hasBlockedSignals(const QProcess& process) {
  QFile status(QString("/proc/%1/status").arg(process.processId()));
  if (!status.open(QIODevice::ReadOnly)) return false;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith("SigBlk:"))
      return (line.mid(7).trimmed().toULongLong(nullptr, 16) & (1ULL << (SIGINT - 1))) != 0;
  return false;
}

class TestStopping : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
  }

  void theStreamBeginsWithHelloAndEndsWithTheResult() {
    auto run = m_program->start(QStringList{"run", m_pipeline, "--events"} + shortly());
    QByteArray last;
    QByteArray first;
    for (QByteArray line = lineWith(*run, "{"); !line.isEmpty(); line = lineWith(*run, "{")) {
      QVERIFY2(QJsonDocument::fromJson(line).isObject(), line.constData());
      if (first.isEmpty()) first = line;
      last = line;
    }
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 0);
    QCOMPARE(QJsonDocument::fromJson(first)["event"].toString(), "hello");
    QCOMPARE(QJsonDocument::fromJson(last)["event"].toString(), "result");
  }

  void aStopRequestIsAnsweredAndEndsWithThree() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->write("{\"id\": 7, \"request\": \"stop\"}\n");
    const QByteArray answer = lineWith(*run, "\"answer\"");
    QCOMPARE(QJsonDocument::fromJson(answer)["id"].toInt(), 7);
    QVERIFY(QJsonDocument::fromJson(answer)["ok"].toBool());
    QVERIFY(!lineWith(*run, "\"result\"").isEmpty());
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
  }

  void anInterruptBeforeAnythingIsMeasuredSaysSo_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("words");
    QTest::newRow("run") << "run p.json --warmup 1000"
                         << "interrupted before anything was measured";
    QTest::newRow("compare") << "compare p.json p.json --warmup 1000"
                             << "nothing was measured: no block was completed";
  }
  void anInterruptBeforeAnythingIsMeasuredSaysSo() {
    QFETCH(QString, command);
    QFETCH(QString, words);
    auto run = m_program->start(command.split(' '));
    QTRY_VERIFY_WITH_TIMEOUT(m_program->runCount("state = running") > 0, kBlockedWithinMs);
    ::kill(static_cast<pid_t>(run->processId()), SIGINT);
    const Outcome outcome = outcomeOf(*run);
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.out.contains(words.toUtf8()), outcome.out.constData());
    QVERIFY(!outcome.out.contains("results so far"));
  }

  void aChangeMeanwhileIsSaidAndKeptWithTheRun() {
    m_pipeline = m_program->write("step.json", R"({"format_version": 1, "nodes": [
      {"kind": "synthetic", "params": {"count": 1000}}, {"kind": "batch", "params": {"size": 8}},
      {"id": "step", "kind": "emulated_step", "params": {"seconds": 0.001}}],
      "wires": [{"from": "synthetic", "to": "batch"}, {"from": "batch", "to": "step"}]})");
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->write(
        "{\"id\": 1, \"request\": \"set\", \"node\": \"step\", \"param\": \"seconds\", \"value\": "
        "0.002}\n{\"id\": 2, \"request\": \"stop\"}\n");
    const QJsonObject result = QJsonDocument::fromJson(lineWith(*run, "\"result\"")).object();
    QCOMPARE(result["live_changes"].toArray()[0].toObject()["param"].toString(), "seconds");
    QVERIFY(ended(*run));
    const Outcome shown = m_program->run({"runs", "show", "last", "--json"});
    QCOMPARE(shown.json()["environment"].toObject()["live_changes"].toString(),
             "step.seconds=0.002");
  }

  void theEndOfStandardInputMeansStop() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->closeWriteChannel();
    QVERIFY(!lineWith(*run, "\"result\"").isEmpty());
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
  }

  void aSignalEndsACommandThatWaitsForItsPipeline_data() {
    QTest::addColumn<QStringList>("command");
    for (const char* command : {"run", "check", "plan", "diagnose"})
      QTest::newRow(command) << QStringList{command, "-"};
    QTest::newRow("export") << QStringList{"export", "-", "--to", "json"};
    QTest::newRow("a note") << QStringList{"runs", "note", "1", "-"};
    QTest::newRow("a FIFO") << QStringList{"run", "fifo"};
    QTest::newRow("arguments of a sweep") << QStringList{"sweep", "p.json", "--file", "fifo"};
  }
  void aSignalEndsACommandThatWaitsForItsPipeline() {
    QFETCH(const QStringList, command);
    QCOMPARE(m_program->shell("mkfifo fifo").code, 0);
    for (const int signal : {SIGINT, SIGTERM}) {
      auto waiting = m_program->start(command);
      QVERIFY(QTest::qWaitFor([&] { return hasBlockedSignals(*waiting); }, kBlockedWithinMs));
      ::kill(static_cast<pid_t>(waiting->processId()), signal);
      QVERIFY(ended(*waiting));
      QCOMPARE(waiting->exitCode(), 3);
    }
  }

  void aPipelineFromAFifoRuns() {
    const Outcome outcome = m_program->shell("$MILLRACE check <(cat p.json)");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
  }

  void standardInputWithoutEndIsRefused() {
    const Outcome outcome = m_program->shell("$MILLRACE check - </dev/zero");
    QCOMPARE(outcome.code, 2);
    QVERIFY((outcome.out + outcome.err).contains("the limit for a pipeline file"));
  }

  void aMalformedRequestIsAnsweredAndTheRunGoesOn() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->write("no JSON\n");
    QVERIFY(!QJsonDocument::fromJson(lineWith(*run, "\"answer\""))["ok"].toBool(true));
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    ::kill(static_cast<pid_t>(run->processId()), SIGINT);
    QVERIFY(!lineWith(*run, "\"result\"").isEmpty());
    QVERIFY(ended(*run));
  }

  void anInterruptKeepsWhatWasMeasured() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"window\"").isEmpty());
    ::kill(static_cast<pid_t>(run->processId()), SIGINT);
    const QByteArray result = lineWith(*run, "\"result\"");
    QVERIFY(QJsonDocument::fromJson(result)["samples"].toDouble() > 0);
    QCOMPARE(QJsonDocument::fromJson(result)["outcome"].toString(), "interrupted");
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
    const Outcome shown = m_program->run({"runs", "show", "last", "--json"});
    QCOMPARE(shown.json()["state"].toString(), "interrupted");
    QVERIFY(shown.json()["samples_per_second"].toObject()["mean"].toDouble() > 0);
  }

  void aSecondInterruptLeavesAtOnce() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    ::kill(static_cast<pid_t>(run->processId()), SIGTERM);
    ::kill(static_cast<pid_t>(run->processId()), SIGINT);
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
  }

  void aKilledRunLeavesASoundStore() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"window\"").isEmpty());
    QVERIFY(!lineWith(*run, "\"window\"").isEmpty());
    ::kill(static_cast<pid_t>(run->processId()), SIGKILL);
    QVERIFY(ended(*run));
    const Outcome listed = m_program->run({"runs", "list"});
    QCOMPARE(listed.code, 0);
    QVERIFY2(listed.out.contains("interrupted"), listed.out.constData());
    const Outcome next = m_program->run(QStringList{"run", m_pipeline, "--json"} + shortly());
    QCOMPARE(next.code, 0);
    QCOMPARE(next.json()["run_id"].toString(), "2");
  }

 private:
  std::unique_ptr<QProcess> endless(const QStringList& flags) {
    return m_program->start(QStringList{"run", m_pipeline, "--seconds", "1000", "--warmup", "0"} +
                            flags);
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestStopping)

}  // namespace millrace::tests

#include "tst_stopping.moc"
