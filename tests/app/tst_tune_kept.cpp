// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace tune --replay` and `--resume`: repeating a search with its measurements, and continuing
// it.
#include <csignal>

#include <QFile>
#include <QJsonArray>
#include <QSet>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// Fields that only a replay has, and fields that depend on the clock.
QJsonObject comparable(QJsonObject json) {
  for (const char* key : {"replay", "replayed_trials", "spent_seconds"}) json.remove(key);
  return json;
}

/// Every rate of every trial.
QSet<double> ratesOf(const QJsonObject& json) {
  QSet<double> rates;
  for (const auto& trial : json["trials"].toArray())
    for (const auto& rate : trial.toObject()["rates"].toArray()) rates.insert(rate.toDouble());
  return rates;
}

}  // namespace

class TestTuneKept : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", steppedPipeline("0.02"));
  }

  void aReplayIsTheTuningOverAgain() {
    const Outcome tuned = tune(varied() + QStringList{"--budget", "50s", "--json"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    QVERIFY2(tuned.json()["diagnosis_runs"].toInt() > 0, "the budget is too small for one");
    const int runs = m_program->runCount("number > 0");
    const Outcome again = m_program->run({"tune", m_pipeline, "--replay", "tuning of p", "--json"});
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(comparable(again.json()), comparable(tuned.json()));
    QVERIFY(again.json()["replay"].toBool());
    QCOMPARE(again.json()["replayed_trials"].toInt(), tuned.json()["measured_trials"].toInt());
    QVERIFY(!tuned.json()["replay"].toBool());
    QCOMPARE(tuned.json()["replayed_trials"].toInt(), 0);
    QVERIFY2(
        again.json()["spent_seconds"].toDouble() <= tuned.json()["spent_seconds"].toDouble() + 1e-6,
        "a replay has the measurements' own seconds alone");
    QCOMPARE(m_program->runCount("number > 0"), runs);
  }

  void thePipelineIsKeptTooAndTheBestIsWrittenFromThere() {
    const Outcome tuned = tune(varied() + QStringList{"--budget", "12s", "--json"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    m_program->write("p.json", "no pipeline any more");
    const QString file = m_program->path("best.json");
    const Outcome page = m_program->run({"tune", "--replay", "tuning of p", "-o", file});
    QVERIFY2(page.code == 0, page.err.constData());
    QVERIFY2(page.out.simplified().contains("replayed: all measurements are those of experiment"),
             page.out.constData());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(written.readAll()).object(),
             tuned.json()["document"].toObject());
    // With standard input open: the end of a pipe means stop.
    const auto replaying = m_program->start({"tune", "--replay", "tuning of p", "--events"});
    const Outcome events = outcomeOf(*replaying);
    QCOMPARE(events.code, 0);
    int told = 0;
    for (const QByteArray& line : events.out.split('\n')) {
      const QJsonObject event = object(line);
      const QString name = event["event"].toString();
      if (name == "tune") QVERIFY(event["replay"].toBool());
      if (name == "trial_begun" || name == "trial_ended")
        QVERIFY2(event["replayed"].toBool(), line.constData());
      told += name == "trial_begun" ? 1 : 0;
    }
    QCOMPARE(told, tuned.json()["measured_trials"].toInt());
  }

  void anotherQuestionIsAnsweredAsFarAsTheMeasurementsReach_data() {
    QTest::addColumn<QStringList>("flags");
    QTest::newRow("cost") << QStringList{"--for", "cost"};
    QTest::newRow("latency") << QStringList{"--for", "latency"};
    QTest::newRow("budget") << QStringList{"--budget", "5s"};
    QTest::newRow("longer") << QStringList{"--budget", "30s"};
    QTest::newRow("one core") << QStringList{"--cores", "1"};
    QTest::newRow("batching") << QStringList{"--allow", "values", "--allow", "batching"};
  }
  void anotherQuestionIsAnsweredAsFarAsTheMeasurementsReach() {
    QFETCH(QStringList, flags);
    if (!m_asked) {  // One tuning answers them all.
      m_asked = std::move(m_program);
      m_tuned = m_asked->run(QStringList{"tune", m_pipeline, "--budget", "12s", "--json"} +
                             quickly() + varied());
    }
    QVERIFY2(m_tuned.code == 0, m_tuned.err.constData());
    const Outcome asked =
        m_asked->run(QStringList{"tune", "--replay", "tuning of p", "--json"} + flags);
    const QJsonObject json = asked.json();
    QVERIFY2(!json.isEmpty(), asked.err.constData());
    const QString missing = json["missing"].toString();
    QCOMPARE(asked.code, missing.isEmpty() ? 0 : 1);
    QCOMPARE(json["outcome"].toString(), QString(missing.isEmpty() ? "finished" : "incomplete"));
    if (!missing.isEmpty()) {
      QVERIFY2(asked.err.simplified().contains("the kept measurements end"), asked.err.constData());
      QCOMPARE(json["stopped_because"].toString(), missing);
    }
    QVERIFY2(ratesOf(m_tuned.json()).contains(ratesOf(json)), "a rate that was not measured");
    QCOMPARE(json["replayed_trials"].toInt(), json["measured_trials"].toInt());
    const Outcome twice =
        m_asked->run(QStringList{"tune", "--replay", "tuning of p", "--json"} + flags);
    QCOMPARE(twice.out, asked.out);
  }

  void aSmallerMemoryIsALimitAndALargerOneWasNotMeasured() {
    const QStringList large = {"--vary", "synthetic.length=64,60000000", "--allow", "values"};
    const Outcome tuned = tune(large + QStringList{"--budget", "120s", "--trial-timeout", "4",
                                                   "--memory", "400M", "--json"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    QVERIFY2(tuned.out.contains("over_limit"), tuned.out.constData());
    const QStringList replay = {"tune", "--replay", "tuning of p", "--json", "--memory"};
    const Outcome none = m_program->run(replay + QStringList{"1M"});
    QCOMPARE(none.code, 1);
    QCOMPARE(none.json()["trials"].toArray()[0].toObject()["state"].toString(), "over_limit");
    const Outcome more = m_program->run(replay + QStringList{"100G"});
    QCOMPARE(more.code, 1);
    QVERIFY2(more.json()["missing"].toString().contains("below the present one"),
             more.out.constData());
    const Outcome same = m_program->run(replay + QStringList{"400M"});
    QCOMPARE(same.json()["trials"].toArray(), tuned.json()["trials"].toArray());
  }

  void aStoreThatLacksTrialsSaysWhichAndInventsNothing() {
    const Outcome tuned = tune(varied() + QStringList{"--budget", "100s", "--json"});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    const QString best = tuned.json()["best"].toObject()["run_id"].toString();
    QVERIFY(best != "1");
    QCOMPARE(m_program->run({"runs", "delete", best}).code, 0);
    const Outcome replayed = m_program->run({"tune", "--replay", "tuning of p", "--json"});
    QCOMPARE(replayed.code, 1);
    QVERIFY2(replayed.json()["missing"].toString().contains(
                 "it was not measured, or its run was deleted"),
             replayed.out.constData());
    QVERIFY(replayed.json()["best"].toObject()["run_id"].toString() != best);
    QCOMPARE(m_program->run({"runs", "delete", "1"}).code, 0);
    const Outcome nothing = m_program->run({"tune", "--replay", "tuning of p", "--json"});
    QCOMPARE(nothing.code, 1);
    QVERIFY2(nothing.err.simplified().contains("the unmodified pipeline's run was deleted"),
             nothing.err.constData());
  }

  void aStoppedOrKilledTuningGoesOn_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("stopped") << SIGINT;
    QTest::newRow("killed") << SIGKILL;
  }
  void aStoppedOrKilledTuningGoesOn() {
    QFETCH(int, signal);
    auto begun = m_program->start(QStringList{"tune", m_pipeline, "--events", "--budget", "100s"} +
                                  varied() + quickly());
    const QJsonObject first = object(lineWith(*begun, "\"trial_ended\""));
    for (int i = 0; i < 3; ++i) QVERIFY(!lineWith(*begun, "\"trial_ended\"").isEmpty());
    QVERIFY(!lineWith(*begun, "\"trial_begun\"").isEmpty());
    ::kill(static_cast<pid_t>(begun->processId()), signal);
    QVERIFY(ended(*begun));
    if (signal == SIGINT) {
      QCOMPARE(begun->exitCode(), 3);
      QVERIFY(begun->readAllStandardError().contains("millrace tune --resume 'tuning of p'"));
    }
    const int told = 4 + static_cast<int>(begun->readAllStandardOutput().count("\"trial_ended\""));
    QCOMPARE(m_program->runCount("state=finished"), 0);
    const int runs = m_program->runCount("number > 0");
    auto resumed = m_program->start({"tune", m_pipeline, "--resume", "--events"});
    const QJsonObject again = object(lineWith(*resumed, "\"trial_ended\""));
    QVERIFY(again["replayed"].toBool());
    QCOMPARE(again["rate"].toDouble(), first["rate"].toDouble());
    const QJsonObject result = object(lineWith(*resumed, "\"result\""));
    QVERIFY(ended(*resumed));
    QVERIFY2(resumed->exitCode() == 0, resumed->readAllStandardError().constData());
    QVERIFY2(result["replayed_trials"].toInt() >= told, "a trial that counted was lost");
    QVERIFY(result["measured_trials"].toInt() > result["replayed_trials"].toInt());
    QCOMPARE(result["budget_seconds"].toDouble(), 100.0);
    QCOMPARE(result["best"].toObject()["settings"].toObject()["step.seconds"].toString(), "0.005");
    QVERIFY(m_program->runCount("number > 0") >= runs);
    QCOMPARE(m_program->runCount("state=running"), 0);
    // It is complete now: nothing can be continued, and the replay is that of one tuning.
    QCOMPARE(m_program->run({"tune", m_pipeline, "--resume"}).code, 2);
    const Outcome replayed =
        m_program->run({"tune", m_pipeline, "--replay", "tuning of p", "--json"});
    QVERIFY2(replayed.code == 0, replayed.err.constData());
    QCOMPARE(replayed.json()["trials"].toArray(), result["trials"].toArray());
    QCOMPARE(replayed.json()["best"].toObject(), result["best"].toObject());
    QCOMPARE(replayed.json()["stopped_because"].toString(), result["stopped_because"].toString());
  }

  void whatCannotBeReplayedOrGoneOnWithIsRefused() {
    QCOMPARE(tune(varied() + QStringList{"--budget", "3s"}).code, 0);
    const QString other = m_program->write("other.json", steppedPipeline("0.03"));
    const auto says = [&](const QStringList& flags, int code, const char* what) {
      const Outcome refused = m_program->run(QStringList{"tune"} + flags);
      if (refused.code == code && refused.err.simplified().contains(what)) return true;
      qWarning("%d: %s", refused.code, refused.err.constData());
      return false;
    };
    QVERIFY(says({}, 2, "a tuning needs a PIPELINE"));
    QVERIFY(says({"--replay", "tuning of q"}, 2, "it has \"tuning of p\""));
    QVERIFY(says({other, "--replay", "tuning of p"}, 2, "belongs to another pipeline"));
    QVERIFY(says({"--set", "batch.size=4", "--replay", "tuning of p"}, 2, "need a PIPELINE"));
    QVERIFY(says({"--replay", "tuning of p", "--seconds", "3"}, 2, "--seconds"));
    QVERIFY(says({"--replay", "tuning of p", "--resume"}, 2, "--re"));
    QVERIFY(says({"--replay", "tuning of p", "--for", "epoch-time"}, 1,
                 "but a first epoch is measured differently"));
    QVERIFY(says({"--replay", "tuning of p", "--cores", "9999"}, 1, "were measured on"));
    QVERIFY(says({"-", "--replay", "tuning of p"}, 2, "leave out -"));
    QVERIFY(says({m_pipeline, "--resume"}, 2, "no stopped tuning of this pipeline"));
    QVERIFY(says({"--resume", "tuning of p"}, 2, "no stopped tuning in experiment"));
    QCOMPARE(m_program
                 ->run({"sweep", m_pipeline, "--vary", "batch.size=4,8", "--repeats", "1",
                        "--batches", "2", "--warmup", "0"})
                 .code,
             0);
    QVERIFY(says({"--replay", "sweep of p"}, 1, "it is not a tuning"));
  }

 private:
  static QStringList quickly() { return {"--seconds", "0.1", "--warmup", "0"}; }
  static QStringList varied() { return {"--vary", "step.seconds=0.005,0.02", "--allow", "values"}; }
  Outcome tune(const QStringList& flags) {
    return m_program->run(QStringList{"tune", m_pipeline} + quickly() + flags);
  }
  std::unique_ptr<Program> m_program;
  std::unique_ptr<Program> m_asked;  ///< with the tuning that is asked other questions
  Outcome m_tuned;                   ///< that tuning
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestTuneKept)

}  // namespace millrace::tests

#include "tst_tune_kept.moc"
