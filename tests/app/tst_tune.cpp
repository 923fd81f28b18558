// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace tune`: the best setting of a pipeline.
#include <csignal>

#include <QFile>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestTune : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", steppedPipeline("0.02"));
  }

  void findsWhatIsFasterKeepsItAndWritesIt() {
    const QString file = m_program->path("tuned.json");
    const Outcome tuned = tune({"--vary", "step.seconds=0.005,0.02", "--allow", "values",
                                "--budget", "100s", "-o", file, "--json"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    const QJsonObject json = tuned.json();
    QCOMPARE(json["experiment"].toString(), "tuning of p");
    const QJsonObject best = json["best"].toObject();
    QCOMPARE(best["settings"].toObject()["step.seconds"].toString(), "0.005");
    QVERIFY(best["gain"].toDouble() > 2);
    QVERIFY(best["goal_value"].toDouble() >
            json["trials"].toArray()[0].toObject()["goal_value"].toDouble());
    QVERIFY(!json["stopped_because"].toString().isEmpty());
    QVERIFY(!json["front"].toArray().isEmpty());
    QCOMPARE(json["written"].toString(), file);
    const QJsonObject kept =
        m_program->run({"runs", "show", best["run_id"].toString(), "--json"}).json();
    QCOMPARE(kept["state"].toString(), "finished");
    QCOMPARE(kept["settings"].toObject()["step.seconds"].toDouble(), 0.005);
    QCOMPARE(kept["repeats"].toArray().size(), best["rates"].toArray().size());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray document = written.readAll();
    QVERIFY2(document.contains("\"seconds\": 0.005"), document.constData());
    QCOMPARE(QJsonDocument::fromJson(document).object(), json["document"].toObject());
    QCOMPARE(m_program->run({"check", file}).code, 0);
  }

  void thePageFitsAndNamesWhatToType() {
    const Outcome tuned = tune({"--vary", "step.seconds=0.005,0.02", "--allow", "values",
                                "--budget", "100s", "--experiment", "steps"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    for (const char* part :
         {" settings measured, in ", "it ended because", "better by", "unmodified", "(best)",
          "step.seconds 0.02 -> 0.005", "changes the values that training gets",
          "millrace export --run", "millrace compare", "kept as experiment \"steps\"",
          "samples/s without drift"})
      QVERIFY2(tuned.out.contains(part), tuned.out.constData());
    for (const QByteArray& line : tuned.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80 || line.contains("millrace "),
               line.constData());
    // Only what differs: in a narrow terminal all rows would begin alike.
    const Outcome list = m_program->run({"runs", "list"});
    QVERIFY2(list.out.contains("  step.seconds=0.005 (steps)"), list.out.constData());
    const Outcome first = m_program->run({"runs", "show", "1"});
    QVERIFY2(first.out.contains(", with other runs between its repeats"), first.out.constData());
    const Outcome again = tune({"--budget", "2s", "--experiment", "steps"});
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.simplified().contains("name another experiment"), again.err.constData());
  }

  void aBudgetForOneTrialSaysThatNothingElseWasMeasured() {
    const Outcome tuned = m_program->run({"tune", m_pipeline, "--budget", "3s", "--no-store"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    QVERIFY2(tuned.out.contains("no other setting was measured"), tuned.out.constData());
    QVERIFY2(!tuned.out.contains("no tried setting"), tuned.out.constData());
  }

  void refusesBeforeTheFirstTrial_data() {
    QTest::addColumn<QStringList>("flags");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("budget 0") << QStringList{"--budget", "0"} << QByteArray("not a length of time");
    QTest::newRow("budget word") << QStringList{"--budget", "2 cows"}
                                 << QByteArray("not a length of time; use, for example, 2m");
    QTest::newRow("budget short") << QStringList{"--budget", "200ms"}
                                  << QByteArray("one trial takes");
    QTest::newRow("goal") << QStringList{"--for", "speed"}
                          << QByteArray("throughput, cost, latency or epoch-time, not `speed`");
    QTest::newRow("allow") << QStringList{"--allow", "order,all"}
                           << QByteArray("order, batching or values");
    QTest::newRow("cores") << QStringList{"--cores", "0"} << QByteArray("at least one core");
    QTest::newRow("memory") << QStringList{"--memory", "much"} << QByteArray("amount of memory");
    QTest::newRow("values") << QStringList{"--vary", "step.seconds=0.1,0.2"}
                            << QByteArray("allow changes of values first");
    QTest::newRow("node") << QStringList{"--vary", "wrokers.count=1,2"}
                          << QByteArray("did you mean `workers`?");
  }
  void refusesBeforeTheFirstTrial() {
    QFETCH(QStringList, flags);
    QFETCH(QByteArray, says);
    const Outcome tuned = tune(flags);
    QCOMPARE(tuned.code, 2);
    QVERIFY2(tuned.err.simplified().contains(says), tuned.err.constData());
    QVERIFY(tuned.out.isEmpty());
    QCOMPARE(m_program->runCount("number > 0"), 0);
  }

  void aPipelineThatFailsOrDoesNotFitIsSaidAtOnce() {
    const Outcome small = tune({"--memory", "1M", "--budget", "5s", "--json"});
    QCOMPARE(small.code, 1);
    QVERIFY2(small.json()["stopped_because"].toString().contains("allow more memory"),
             small.out.constData());
    QCOMPARE(small.json()["measured_trials"].toInt(), 2);
    const Outcome broken =
        tune({"--set", "step.seconds=1000", "--trial-timeout", "1", "--budget", "5s", "--json"});
    QCOMPARE(broken.code, 1);
    QVERIFY2(broken.json()["stopped_because"].toString().contains("unmodified pipeline fails"),
             broken.out.constData());
    QVERIFY(broken.json()["best"].isNull());
  }

  void aTrialThatHangsOrTakesTooMuchIsAResult() {
    const Outcome tuned = tune(
        {"--vary", "step.seconds=0.02,1000", "--vary", "synthetic.length=64,60000000", "--allow",
         "values", "--trial-timeout", "2", "--memory", "400M", "--budget", "120s", "--json"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    QString states;
    for (const auto& trial : tuned.json()["trials"].toArray())
      states += trial.toObject()["state"].toString() + " ";
    QVERIFY2(states.contains("over_limit") && states.contains("failed"), qPrintable(states));
    QVERIFY(m_program->runCount("state=failed") >= 2);
  }

  void aStopKeepsTheBestSoFar() {
    auto begun =
        m_program->start(QStringList{"tune", m_pipeline, "--events", "--budget", "60s", "--vary",
                                     "step.seconds=0.005,0.02", "--allow", "values"} +
                         quickly());
    const QJsonObject tune = object(lineWith(*begun, "\"tune\""));
    QCOMPARE(tune["budget_seconds"].toDouble(), 60.0);
    const QJsonObject first = object(lineWith(*begun, "\"trial_ended\""));
    QCOMPARE(first["trial"].toInt(), 0);
    const QJsonObject space = object(lineWith(*begun, "\"tune_space\""));
    QVERIFY(space["axes"].toArray().size() >= 3);
    QVERIFY(!lineWith(*begun, "\"trial_ended\"").isEmpty());
    ::kill(static_cast<pid_t>(begun->processId()), SIGINT);
    QVERIFY(object(lineWith(*begun, "\"tune_ended\""))["best"].isDouble());
    const QJsonObject result = object(lineWith(*begun, "\"result\""));
    QCOMPARE(result["outcome"].toString(), "interrupted");
    QVERIFY(result["best"].isObject());
    QVERIFY(ended(*begun));
    QCOMPARE(begun->exitCode(), 3);
    QCOMPARE(m_program->runCount("state=running"), 0);
  }

 private:
  static QStringList quickly() { return {"--seconds", "0.1", "--warmup", "0"}; }
  Outcome tune(const QStringList& flags) {
    return m_program->run(QStringList{"tune", m_pipeline} + quickly() + flags);
  }
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestTune)

}  // namespace millrace::tests

#include "tst_tune.moc"
