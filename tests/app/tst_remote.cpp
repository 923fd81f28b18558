// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace --on HOST` through a real ssh server on this machine.
#include <csignal>

#include <QDir>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/app/ssh_server.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

constexpr int kEndsWithinMs = 60'000;

class TestRemote : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    if (const QString why = SshServer::missing(); !why.isEmpty()) QSKIP(qPrintable(why));
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.millrace.json", steppedPipeline("0.002"));
    serve();
  }
  void cleanup() {
    m_server.reset();
    m_program.reset();
  }

  void aRunIsMeasuredThereAndKeptHere() {
    const Outcome ran = on(QStringList{"run", m_pipeline, "--name", "it's there"} + shortly());
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY2(ran.out.contains("samples/s"), ran.out.constData());
    QVERIFY2(ran.out.contains("kept as run 1: millrace runs show 1"), ran.out.constData());
    const QJsonObject run = m_program->run({"runs", "show", "1", "--json"}).json();
    QCOMPARE(run["state"].toString(), "finished");
    QCOMPARE(run["name"].toString(), "it's there");
    QCOMPARE(run["pipeline"].toString(), m_pipeline);
    QVERIFY(run["samples_per_second"].toObject()["mean"].toDouble() > 0);
    QCOMPARE(run["environment"].toObject()["machine"].toString(), QSysInfo::machineHostName());
    QVERIFY(!run["environment"].toObject()["cpu_model"].toString().isEmpty());
    QVERIFY(!QFile::exists(m_server->home() + "/data"));  // Nothing is kept there.
  }

  void theSameViewsAsOfARunHere() {
    const Outcome json = on(QStringList{"run", m_pipeline, "--json"} + shortly());
    QCOMPARE(json.code, 0);
    QCOMPARE(json.json()["run_id"].toString(), "1");
    QCOMPARE(json.json()["pipeline"].toString(), m_pipeline);
    QVERIFY(json.json()["samples"].toDouble() > 0);
    auto run = start({"run", m_pipeline, "--events", "--no-store"});
    QByteArrayList names;
    for (QByteArray line = lineWith(*run, "{"); !line.isEmpty(); line = lineWith(*run, "{"))
      names.push_back(object(line)["event"].toString().toUtf8());
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 0);
    QCOMPARE(names.first(), QByteArray("hello"));
    QCOMPARE(names.last(), QByteArray("result"));
    QVERIFY(names.contains("repeat"));
    QVERIFY(!names.contains("record") && !names.contains("page"));
    QCOMPARE(m_program->runCount("number > 0"), 1);
  }

  void requestsReachTheRunThere() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->write(
        "{\"id\": 5, \"request\": \"set\", \"node\": \"step\", \"param\": \"seconds\", "
        "\"value\": 0.001}\n");
    const QJsonObject answer = object(lineWith(*run, "\"answer\""));
    QCOMPARE(answer["id"].toInt(), 5);
    QVERIFY(answer["ok"].toBool());
    run->write("{\"id\": 6, \"request\": \"stop\"}\n");
    const QJsonObject result = object(lineWith(*run, "\"result\""));
    QCOMPARE(result["run_id"].toString(), "1");
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
    const Outcome shown = m_program->run({"runs", "show", "1", "--json"});
    QCOMPARE(shown.json()["environment"].toObject()["live_changes"].toString(),
             "step.seconds=0.001");
  }

  void theEndOfStandardInputStopsTheRunThere() {
    auto run = endless({"--events"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->closeWriteChannel();
    QVERIFY(!lineWith(*run, "\"result\"").isEmpty());
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
  }

  void otherCommandsPrintWhatTheyPrintThere() {
    const Outcome nodes = on({"nodes", "flip"});
    QCOMPARE(nodes.code, 0);
    QCOMPARE(nodes.out, m_program->run({"nodes", "flip"}).out);
    QVERIFY(on({"doctor"}).out.startsWith("millrace "));
    const QString photos = m_server->home() + "/data here/photos";
    const Outcome made = on({"sample-data", photos, "--count", "4"});
    QVERIFY2(made.code == 0, made.err.constData());
    QVERIFY(QFile::exists(photos));
    const Outcome inspected = on({"inspect", photos, "--json"});
    QCOMPARE(inspected.code, 0);
    QVERIFY(inspected.json()["samples"].toInt() > 0);
    QCOMPARE(on({"inspect", "nothing"}).code, 2);
    QCOMPARE(on({"check", m_pipeline}).code, 0);
    const QString bad = m_program->write("bad.json", "{\"nodes\": 3}");
    const Outcome here = m_program->run({"check", bad});
    const Outcome there = on({"check", bad});
    QCOMPARE(there.code, 2);
    QCOMPARE(there.out, here.out);
    QCOMPARE(there.err, here.err);
  }

  void aPipelineForDataThereIsWrittenHere() {
    const QString photos = m_server->home() + "/photos";
    QCOMPARE(on({"sample-data", photos, "--count", "4"}).code, 0);
    const QString file = m_program->path("it's mine.json");
    const Outcome written = on({"inspect", "-o", file, photos});
    QVERIFY2(written.code == 0, written.err.constData());
    QVERIFY2(written.out.contains("millrace --on gpu1 run"), written.out.constData());
    QVERIFY(QFile::exists(file));
    QCOMPARE(on(QStringList{"run", file, "--set", "batch.size=2"} + shortly()).code, 0);
    const Outcome again = on({"inspect", "--output=" + file, photos});
    QCOMPARE(again.code, 1);
    QVERIFY2(again.err.contains("exists"), again.err.constData());
    QCOMPARE(on({"inspect", photos, "--force", "-o" + file, "--json"}).code, 0);
    const Outcome nothing =
        on({"inspect", photos + "/none", "-o", m_program->path("none.millrace.json")});
    QCOMPARE(nothing.code, 2);
    QVERIFY2(nothing.err.contains("does not exist"), nothing.err.constData());
  }

  void suggestedCommandsAreForThatMachine() {
    const QString photos = m_server->home() + "/photos";
    QCOMPARE(on({"sample-data", photos, "--count", "4"}).code, 0);
    const QByteArray shown = on({"inspect", photos}).out;
    QVERIFY2(shown.contains("Next:\n  millrace --on gpu1 run "), shown.constData());
    QVERIFY2(!shown.contains("  millrace inspect") && !shown.contains("  millrace run"),
             shown.constData());
    const QByteArray examined = on({"inspect", "--all", photos}).out;
    QVERIFY2(examined.contains("  millrace --on gpu1 inspect "), examined.constData());
    const QByteArray swept = on({"sweep", m_pipeline, "--vary", "workers.count=1,2", "--seconds",
                                 "0.1", "--warmup", "0", "--repeats", "1", "--no-store"})
                                 .out;
    QVERIFY2(swept.contains("millrace --on gpu1 run "), swept.constData());
    // Without another machine, nothing is added.
    QVERIFY(m_program->run({"inspect", photos}).out.contains("Next:\n  millrace run "));
  }

  void coloursAndWidthAreThoseOfThisTerminal() {
    QVERIFY(on({"--color", "always", "inspect", "nothing"}).err.contains("\x1b[1;31m"));
    QVERIFY(!on({"inspect", "nothing"}).err.contains("\x1b"));
  }

  void noShellReadsAName() {
    const QString odd = "it's \"$(touch pwned)\" `touch pwned`;\n*&|\\ -x";
    const QString pipeline = m_program->write(odd + ".json", steppedPipeline("0.002"));
    const Outcome ran = on(QStringList{"run", "--json", "--name", odd, pipeline} + shortly());
    QVERIFY2(ran.code == 0, ran.err.constData());
    QCOMPARE(ran.json()["pipeline"].toString(), pipeline);
    const QString folder = m_server->home() + "/" + odd;
    QVERIFY(QDir().mkpath(folder));
    const Outcome inspected = on({"inspect", folder, "--json"});
    QVERIFY2(inspected.code == 1 && !inspected.out.isEmpty(), inspected.err.constData());
    QVERIFY(on({"inspect", "--", "-x"}).err.contains("does not exist"));
    for (const QString& home : {m_server->home(), m_program->path(""), QDir::homePath()})
      QVERIFY(!QFile::exists(home + "/pwned"));
  }

  void flagsMeanTheSameThere() {
    // Values that are read into others (20ms), flags of here between those of there, and `--`.
    const Outcome ran = on({"run", "--step", "20ms", "--name=here", "--set", "workers.count=1",
                            "--tag", "a", "--json", "--tag", "b", "--batches", "5", "--warmup=0",
                            "--repeats", "1", "--", m_pipeline});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QJsonObject run = m_program->run({"runs", "show", "1", "--json"}).json();
    QCOMPARE(run["name"].toString(), "here");
    QCOMPARE(run["tags"].toArray().size(), 2);
    QCOMPARE(run["batches"].toInt(), 5);
    QCOMPARE(m_program->runCount("workers.count = 1"), 1);
  }

  void unkeptMeasurementsRunThere() {
    const Outcome compared =
        on({"compare", m_pipeline, m_pipeline, "--set", "B:step.seconds=0.004", "--seconds", "0.1",
            "--warmup", "0", "--repeats", "1", "--no-store", "--json"});
    QVERIFY2(compared.code == 0, compared.err.constData());
    QVERIFY(!compared.json().isEmpty());
    const Outcome swept = on({"sweep", m_pipeline, "--vary", "workers.count=1,2", "--seconds",
                              "0.1", "--warmup", "0", "--repeats", "1", "--no-store", "--json"});
    QVERIFY2(swept.code == 0, swept.err.constData());
    QVERIFY(!swept.json().isEmpty());
    QCOMPARE(m_program->runCount("number > 0"), 0);
  }

  void whatALoginPrintsIsNotShown() {
    m_server.reset();
    serve(
        "ForceCommand echo welcome; echo 'quota: 90 %' >&2; printf 'no newline'; exec /bin/dash "
        "-c \"$SSH_ORIGINAL_COMMAND\"\n");
    const Outcome nodes = on({"nodes", "flip"});
    QCOMPARE(nodes.code, 0);
    QCOMPARE(nodes.out, m_program->run({"nodes", "flip"}).out);
    QCOMPARE(nodes.err, QByteArray());
  }

  void aLoginThatFailsIsASentence_data() {
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("host") << "unknown-host" << "the host unknown-host is not known";
    QTest::newRow("port") << "no-server" << "refused the connection";
    QTest::newRow("key") << "no-key" << "refused the login";
    QTest::newRow("new") << "new-host" << "is not known yet: log in once with";
    QTest::newRow("changed") << "changed-host" << "has changed";
    QTest::newRow("an option") << "-oProxyCommand=touch pwned" << "is not a host";
    QTest::newRow("empty") << "" << "is not a host";
  }
  void aLoginThatFailsIsASentence() {
    QFETCH(const QString, host);
    QFETCH(const QString, sentence);
    QStringList words = {"--on", host, "run", m_pipeline};
    if (host.startsWith('-')) words = QStringList{"--on=" + host, "run", m_pipeline};
    const Outcome ran = m_program->run(words);
    QVERIFY(ran.code == 1 || ran.code == 2);
    const QString message = QString(ran.err).simplified();
    QVERIFY2(message.startsWith("error: ") && message.contains(sentence), ran.err.constData());
    QVERIFY2(ran.out.isEmpty(), ran.out.constData());
    QCOMPARE(m_program->runCount("number > 0"), 0);
    QVERIFY(!QFile::exists(m_program->path("pwned")));
  }

  void aProgramThatCannotBeUsedIsASentence() {
    const auto message = [this] { return QString(on({"doctor"}).err).simplified(); };
    m_server->setProgram("printf '\\036millrace-remote 1 9.9.9 gpu1\\n'; cat >/dev/null");
    QVERIFY2(message().contains("is version 9.9.9"), qPrintable(message()));
    QVERIFY2(message().contains("install the same version"), qPrintable(message()));
    m_server->setProgram("echo \"error: there is no command \\`$1\\`\" >&2; exit 2");
    QVERIFY2(message().contains("is another version"), qPrintable(message()));
    m_server->setProgram("echo hello; exit 0");
    QVERIFY2(message().contains("did not answer as Millrace does"), qPrintable(message()));
    m_server->removeProgram();
    QVERIFY2(message().contains("there is no program millrace on gpu1"), qPrintable(message()));
    QVERIFY2(message().contains("--on-program"), qPrintable(message()));
    const Outcome named =
        m_program->run({"--on", "gpu1", "--on-program", QString(kMillrace), "doctor"});
    QVERIFY2(named.code == 0, named.err.constData());
  }

  void anInterruptStopsTheRunThereAndKeepsIt() {
    auto run = endless({});
    QVERIFY(QTest::qWaitFor([&] { return m_program->runCount("state = running") == 1; }));
    ::kill(static_cast<pid_t>(run->processId()), SIGINT);
    const Outcome stopped = outcomeOf(*run);
    QCOMPARE(stopped.code, 3);
    QVERIFY2(stopped.out.contains("interrupted"), stopped.out.constData());
    QVERIFY2(stopped.out.contains("kept as run 1"), stopped.out.constData());
    QCOMPARE(m_program->runCount("state = interrupted"), 1);
    QVERIFY(nothingRunsThere());
  }

  void theRunThereEndsWithTheProgramHere() {
    auto run = endless({});
    QVERIFY(QTest::qWaitFor([&] { return m_program->runCount("state = running") == 1; }));
    QVERIFY(!m_server->programs().isEmpty());
    ::kill(static_cast<pid_t>(run->processId()), SIGKILL);
    QVERIFY(nothingRunsThere());
    QVERIFY(QTest::qWaitFor([&] { return m_program->runCount("state = interrupted") == 1; }));
  }

  void aRunWhoseConnectionBreaksEndsThereAndIsKept() {
    auto run = endless({});
    QVERIFY(QTest::qWaitFor([&] { return m_program->runCount("state = running") == 1; }));
    m_server->cutConnections();
    const Outcome lost = outcomeOf(*run);
    QCOMPARE(lost.code, 1);
    const QString message = QString(lost.err).simplified();
    QVERIFY2(message.contains("the connection to gpu1 was lost"), qPrintable(message));
    QVERIFY2(message.contains("kept as run 1"), qPrintable(message));
    QCOMPARE(m_program->runCount("state = interrupted"), 1);
    QVERIFY(nothingRunsThere());
  }

  void aProgramThatIsKilledThereLeavesAStoppedRun() {
    auto run = endless({});
    QVERIFY(QTest::qWaitFor([&] { return m_program->runCount("state = running") == 1; }));
    for (const pid_t process : m_server->programs()) ::kill(process, SIGKILL);
    QCOMPARE(outcomeOf(*run).code, 1);
    QCOMPARE(m_program->runCount("state = interrupted"), 1);
  }

  void runsOfTwoMachinesAreNotAlike() {
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline} + shortly()).code, 0);
    QCOMPARE(on(QStringList{"run", m_pipeline} + shortly()).code, 0);
    const QByteArray text = m_program->run({"runs", "compare", "1", "2"}).out;
    QVERIFY2(text.contains("the conditions differ (machine: "), text.constData());
  }

  void whatDoesNotWorkThereIsRefused_data() {
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("a store") << QStringList{"runs", "list"} << "works on files of this machine";
    QTest::newRow("files") << QStringList{"convert", "a", "b", "--to", "mds"} << "does not work on";
    QTest::newRow("kept") << QStringList{"compare", m_pipeline, m_pipeline} << "add --no-store";
    QTest::newRow("a report here")
        << QStringList{"inspect", "--all", ".", "-o", "x"} << "leave out --output";
    QTest::newRow("no file") << QStringList{"run", "nothing.json"} << "no such file";
  }
  void whatDoesNotWorkThereIsRefused() {
    QFETCH(const QStringList, command);
    QFETCH(const QString, sentence);
    const Outcome refused = on(command);
    QCOMPARE(refused.code, 2);
    QVERIFY2(QString(refused.err).simplified().contains(sentence), refused.err.constData());
  }

 private:
  void serve(const QByteArray& options = {}) {
    m_server = std::make_unique<SshServer>();
    QVERIFY(m_server->start(options));
    m_server->setEnvironment();
  }
  Outcome on(const QStringList& words) {
    return m_program->run(QStringList{"--on", "gpu1"} + words);
  }
  std::unique_ptr<QProcess> start(const QStringList& words) {
    return m_program->start(QStringList{"--on", "gpu1"} + words + shortly());
  }
  std::unique_ptr<QProcess> endless(const QStringList& flags) {
    return m_program->start(
        QStringList{"--on", "gpu1", "run", m_pipeline, "--seconds", "1000", "--warmup", "0"} +
        flags);
  }
  bool nothingRunsThere() const {
    return QTest::qWaitFor([&] { return m_server->programs().isEmpty(); }, kEndsWithinMs);
  }

  std::unique_ptr<Program> m_program;
  std::unique_ptr<SshServer> m_server;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestRemote)

}  // namespace millrace::tests

#include "tst_remote.moc"
