// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace sweep`: many settings of one pipeline.
#include <csignal>

#include <QFile>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// The only child of a process; waits until there is one.
pid_t childOf(qint64 process) {
  QByteArray children;
  const bool there = QTest::qWaitFor(
      [&] {
        QFile file(QString("/proc/%1/task/%1/children").arg(process));
        if (file.open(QIODevice::ReadOnly)) children = file.readAll().trimmed();
        return !children.isEmpty();
      },
      60000);
  return there ? children.toInt() : -1;
}

}  // namespace

class TestSweep : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", steppedPipeline("0.001"));
  }

  void aGridIsMeasuredKeptAndExplained() {
    const Outcome swept = sweep({"--vary", "batch.size=8,16", "--vary", "step.seconds=0.001,0.02",
                                 "--repeats", "3", "--csv", m_program->path("out.csv"), "--json"});
    QVERIFY2(swept.code == 0, swept.err.constData());
    const QJsonObject json = swept.json();
    QCOMPARE(json["outcome"].toString(), "finished");
    QCOMPARE(json["experiment"].toString(), "sweep of p");
    const QJsonArray trials = json["trials"].toArray();
    QCOMPARE(trials.size(), 4);
    for (const auto& each : trials) {
      const QJsonObject trial = each.toObject();
      QCOMPARE(trial["state"].toString(), "measured");
      QCOMPARE(trial["rates"].toArray().size(), 3);
      QVERIFY(trial["samples_per_second"].toObject()["ci95_low"].isDouble());
      const QJsonObject kept =
          m_program->run({"runs", "show", trial["run_id"].toString(), "--json"}).json();
      QCOMPARE(kept["state"].toString(), "finished");
      QCOMPARE(kept["repeats"].toArray().size(), 3);
    }
    QVERIFY(trials[0].toObject()["current"].toBool());
    // A step twenty times as long matters more than a batch of twice the size.
    const QJsonObject shares = json["importance"].toObject()["shares"].toObject();
    QVERIFY(shares["step.seconds"].toDouble() > shares["batch.size"].toDouble());
    QVERIFY(json["rivals"].isArray() && json["over_next"].toObject()["sentence"].isString());
    QVERIFY(json["next"].toString().contains("--set step.seconds=0.001"));
    QFile csv(m_program->path("out.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll().count('\n'), 5);
    QCOMPARE(m_program->runCount("batch.size=16 and step.seconds=0.02"), 1);
  }

  void thePageFitsAndNamesWhatToType() {
    const Outcome swept = sweep({"--vary", "step.seconds=0.001..0.101:0.05", "--repeats", "1",
                                 "--experiment", "steps", "--no-fuse"});
    QVERIFY2(swept.code == 0, swept.err.constData());
    for (const char* part :
         {"samples/s by step.seconds", "best, current", "too few repeats to tell", "#####",
          "the current setting is the best of these", "millrace run", "--no-fuse",
          "kept as experiment \"steps\""})
      QVERIFY2(swept.out.contains(part), swept.out.constData());
    const Outcome map =
        sweep({"--vary", "step.seconds=0.001,0.02", "--vary", "batch.size=4,8,16", "--repeats", "1",
               "--random", "4", "--no-store", "--set", "step.seconds=0.1"});
    QVERIFY2(map.code == 0, map.err.constData());
    for (const char* part : {"(down) and", "importance is unknown: it needs the full grid",
                             "too few", " --set step.seconds=0.1 --set B:step.seconds=0.0"})
      QVERIFY2(map.out.contains(part), map.out.constData());
    for (const QByteArray& line : swept.out.split('\n') + map.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80 || line.contains("millrace "),
               line.constData());
    const Outcome again = sweep({"--vary", "step.seconds=0.001,0.002", "--experiment", "steps"});
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.simplified().contains("continue it, or name another experiment"),
             again.err.constData());
  }

  void whatOnlyTheDataTellsIsNoError() {
    QCOMPARE(m_program->run({"sample-data", "photos", "--count", "12"}).code, 0);
    m_program->write("classes.json", R"({"format_version": 1, "nodes": [
      {"kind": "image_folder", "params": {"paths": ["photos/train"]}}, {"kind": "decode"},
      {"kind": "resize", "params": {"width": 32, "height": 32}}, {"kind": "one_hot"},
      {"kind": "batch", "params": {"size": 4}}, {"kind": "drain"}],
      "wires": [{"from": "image_folder", "to": "decode"}, {"from": "decode", "to": "resize"},
      {"from": "resize", "to": "one_hot"}, {"from": "one_hot", "to": "batch"},
      {"from": "batch", "to": "drain"}]})");
    QCOMPARE(m_program->run({"check", m_program->path("classes.json")}).code, 0);
    const Outcome swept =
        m_program->run({"sweep", m_program->path("classes.json"), "--vary", "batch.size=2,4",
                        "--repeats", "1", "--seconds", "0.1", "--warmup", "0", "--no-store"});
    QVERIFY2(swept.code == 0, swept.err.constData());
  }

  void refusesBeforeTheFirstTrial_data() {
    QTest::addColumn<QStringList>("flags");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("nothing") << QStringList{} << QByteArray("nothing is varied");
    QTest::newRow("node") << QStringList{"--vary", "wrokers.count=1,2"}
                          << QByteArray("did you mean `workers`?");
    QTest::newRow("parameter") << QStringList{"--vary", "workers.cuont=1,2"}
                               << QByteArray("did you mean `count`?");
    QTest::newRow("range") << QStringList{"--vary", "workers.count=0..2"}
                           << QByteArray("out of range: 1 to 1024");
    QTest::newRow("twice") << QStringList{"--vary", "workers.count=1,2", "--vary",
                                          "workers.count=3,4"}
                           << QByteArray("varied twice");
    QTest::newRow("plans") << QStringList{"--vary", "workers.count=1,2", "--plan",
                                          "full",   "--latin",           "3"}
                           << QByteArray("exclude each other");
    QTest::newRow("memory") << QStringList{"--vary", "workers.count=1,2", "--trial-memory", "much"}
                            << QByteArray("not an amount of memory");
    QTest::newRow("none to resume") << QStringList{"--vary", "workers.count=1,2", "--resume"}
                                    << QByteArray("no stopped sweep of these settings");
  }
  void refusesBeforeTheFirstTrial() {
    QFETCH(QStringList, flags);
    QFETCH(QByteArray, says);
    const Outcome swept = sweep(flags);
    QCOMPARE(swept.code, 2);
    QVERIFY2(swept.err.simplified().contains(says), swept.err.constData());
    QVERIFY(swept.out.isEmpty());
    QCOMPARE(m_program->runCount("number > 0"), 0);
  }

  void aTrialThatHangsOrTakesTooMuchIsAResult() {
    // Each limit alone: a busy machine may reach the time before the memory.
    const auto reasonOf = [this](const QStringList& flags) {
      const Outcome swept = sweep(flags + QStringList{"--repeats", "1", "--json"});
      const QJsonArray trials = swept.json()["trials"].toArray();
      if (trials[0].toObject()["state"].toString() != "measured") return QString(swept.out);
      QString reasons = swept.json()["importance"].toObject()["missing"].toString();
      for (const auto& trial : trials) reasons += "; " + trial.toObject()["reason"].toString();
      return reasons;
    };
    const QString large =
        reasonOf({"--vary", "synthetic.length=8,60000000", "--vary", "batch.size=8,16",
                  "--trial-timeout", "100", "--trial-memory", "400M"});
    QVERIFY2(large.contains("failed"), qPrintable(large));
    QVERIFY2(large.contains("of memory, the limit of a trial"), qPrintable(large));
    const QString slow = reasonOf({"--vary", "step.seconds=0.001,1000", "--trial-timeout", "10"});
    QVERIFY2(slow.contains("it took longer than 10 s, the limit of a trial"), qPrintable(slow));
    QCOMPARE(m_program->runCount("state=failed"), 3);
  }

  void aTrialThatDiesIsAResult() {
    auto begun = m_program->start(
        QStringList{"sweep", m_pipeline, "--vary", "step.seconds=0.001,1000", "--events"} +
        quickly());
    QByteArray line = lineWith(*begun, "\"trial_begun\"");
    if (object(line)["trial"].toInt() == 0) line = lineWith(*begun, "\"trial_begun\"");
    const pid_t child = childOf(begun->processId());
    QVERIFY(child > 0);
    ::kill(child, SIGKILL);
    line = lineWith(*begun, "\"trial_ended\"");
    while (object(line)["trial"].toInt() == 0) line = lineWith(*begun, "\"trial_ended\"");
    QCOMPARE(object(line)["state"].toString(), "failed");
    QVERIFY2(object(line)["reason"].toString().contains("signal 9"), line.constData());
    QCOMPARE(object(lineWith(*begun, "\"result\""))["ranking"].toArray(), QJsonArray{0});
    QVERIFY(ended(*begun));
    QCOMPARE(begun->exitCode(), 0);
  }

  void aStoppedOrKilledSweepGoesOn_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("askedAgain");
    QTest::newRow("stopped") << SIGINT << true;
    QTest::newRow("killed") << SIGKILL << true;
    QTest::newRow("stopped, with the kept arguments") << SIGINT << false;
  }
  void aStoppedOrKilledSweepGoesOn() {
    QFETCH(int, signal);
    QFETCH(bool, askedAgain);
    const QStringList flags = {"--vary", "step.seconds=0.04,0.05,0.06", "--repeats", "2"};
    auto begun = m_program->start(QStringList{"sweep", m_pipeline, "--events"} + flags + quickly());
    // A disturbed trial does not count and is repeated.
    const QByteArray counts = "\"state\":\"measured\"";
    const QJsonObject first = object(lineWith(*begun, counts));
    QVERIFY(!lineWith(*begun, "\"trial_begun\"").isEmpty());
    const pid_t child = childOf(begun->processId());
    ::kill(static_cast<pid_t>(begun->processId()), signal);
    if (signal == SIGINT)
      QCOMPARE(object(lineWith(*begun, "\"result\""))["outcome"].toString(), "interrupted");
    QVERIFY(ended(*begun));
    if (signal == SIGINT) {
      QCOMPARE(begun->exitCode(), 3);
      QVERIFY(begun->readAllStandardError().contains("millrace sweep --resume 'sweep of p'"));
    }
    QVERIFY2(QTest::qWaitFor([&] { return ::kill(child, 0) != 0; }, 60000), "the trial lives on");
    const int told = 1 + begun->readAllStandardOutput().count(counts);
    const QStringList again =
        askedAgain ? QStringList{m_pipeline} + flags + quickly() : QStringList();
    auto resumed = m_program->start(QStringList{"sweep", "--events"} + again +
                                    QStringList{"--resume", "sweep of p"});
    const QJsonObject next = object(lineWith(*resumed, "\"trial_begun\""));
    QVERIFY2(next["done"].toInt() >= told, "a trial that counted was lost");
    QVERIFY(next["done"].toInt() < 8);
    const QJsonObject result = object(lineWith(*resumed, "\"result\""));
    QVERIFY(ended(*resumed));
    QVERIFY2(resumed->exitCode() == 0, resumed->readAllStandardError().constData());
    for (const auto& trial : result["trials"].toArray())
      QCOMPARE(trial.toObject()["rates"].toArray().size(), 2);
    const QJsonValue kept = result["trials"].toArray()[first["trial"].toInt()];
    QCOMPARE(kept.toObject()["rates"].toArray()[0].toDouble(), first["rate"].toDouble());
    QCOMPARE(m_program->runCount("state=finished and repeats=2"), 4);
    QCOMPARE(sweep(flags + QStringList{"--resume"}).code, 2);
    const Outcome whole = m_program->run({"sweep", "--resume", "sweep of p"});
    QCOMPARE(whole.code, 2);
    QVERIFY2(whole.err.simplified().contains("\"sweep of p\" is complete"), whole.err.constData());
  }

  void withoutAPipelineOnlyAKeptSweepIsContinued() {
    const auto refusal = [this](const QStringList& flags) {
      const Outcome swept = m_program->run(QStringList{"sweep"} + flags);
      return swept.code == 2 ? swept.err.simplified() : "code " + QByteArray::number(swept.code);
    };
    QVERIFY(refusal({"--vary", "workers.count=1,2"}).contains("a sweep needs a PIPELINE"));
    QVERIFY(refusal({"--resume", "none"}).contains("no stopped sweep in experiment \"none\""));
    QVERIFY(refusal({"--resume", "none", "--repeats", "2"}).contains("leave out --repeats"));
  }

  void aFileSaysWhatNoFlagDoes() {
    const QString file = m_program->write("sweep.json", R"({"format_version": 1,
      "pipeline": "p.json", "set": {"batch.size": 4}, "warmup": 0, "batches": 2, "repeats": 1,
      "vary": {"workers.count": [1, 2], "step.seconds": "0.001..0.002:0.001"}, "plan": "latin:2",
      "experiment": "from a file"})");
    const Outcome swept = m_program->run({"sweep", "--file", file, "--json", "--plan", "full"});
    QVERIFY2(swept.code == 0, swept.err.constData());
    const QJsonObject json = swept.json();
    QCOMPARE(json["experiment"].toString(), "from a file");
    QCOMPARE(json["trials"].toArray().size(), 4);
    QCOMPARE(json["axes"].toArray()[0].toObject()["param"].toString(), "workers.count");
    QCOMPARE(m_program->runCount("batch.size=4"), 4);
    for (const auto& [content, says] :
         {std::pair{R"({"vray": {}})", "there is no key `vray`; valid are"},
          {R"({"repeats": "3"})", "`repeats`: expected a whole number"},
          {R"({"vary": [1]})", "`vary`: expected an object"},
          {R"({"format_version": 2})", "is newer"},
          {"{", "not JSON"}}) {
      const Outcome wrong =
          m_program->run({"sweep", "--file", m_program->write("w.json", content)});
      QCOMPARE(wrong.code, 2);
      QVERIFY2(wrong.err.simplified().contains(says), wrong.err.constData());
    }
  }

 private:
  static QStringList quickly() { return {"--batches", "5", "--warmup", "0"}; }
  Outcome sweep(const QStringList& flags) {
    return m_program->run(QStringList{"sweep", m_pipeline} + flags + quickly());
  }
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestSweep)

}  // namespace millrace::tests

#include "tst_sweep.moc"
