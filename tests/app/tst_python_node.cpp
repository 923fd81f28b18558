// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A pipeline with a function of the user in the built program: however it ends, no process is left.
#include <csignal>
#include <cstdlib>

#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

const QByteArray kHangingFile = R"py(import os, time
def hangs(features):
    with open("called", "w") as file:
        file.write("%d %d\n" % (os.getpid(), os.getppid()))
    os.rename("called", "processes")
    time.sleep(600)
def same(features):
    return features
)py";

QByteArray pythonPipeline(const QByteArray& function) {
  QByteArray text = R"({"format_version": 1, "nodes": [
    {"id": "synthetic", "kind": "synthetic", "params": {"count": 1000}},
    {"id": "python", "kind": "python", "params": {"file": "mine.py", "function": "FUNCTION",
      "python": "/usr/bin/python3", "fields": ["features"]}},
    {"id": "workers", "kind": "workers", "params": {"count": 1}},
    {"id": "batch", "kind": "batch"}, {"id": "drain", "kind": "drain"}],
   "wires": [{"from": "synthetic", "to": "python"}, {"from": "python", "to": "workers"},
    {"from": "workers", "to": "batch"}, {"from": "batch", "to": "drain"}]})";
  return text.replace("FUNCTION", function);
}

bool isThere(qint64 process) { return ::kill(static_cast<pid_t>(process), 0) == 0; }

bool goesSoon(qint64 process) {
  QElapsedTimer waited;
  waited.start();
  while (isThere(process) && waited.elapsed() < 20'000) QThread::msleep(20);
  return !isThere(process);
}

}  // namespace

class TestPythonNodeProgram : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("mine.py", kHangingFile);
  }

  void itRunsAndIsListed() {
    m_program->write("p.json", pythonPipeline("same"));
    const Outcome outcome =
        m_program->run({"run", "p.json", "--seconds", "0.3", "--warmup", "0.1", "--repeats", "1"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.contains("\n  python  "), outcome.out.constData());
  }

  void aFileThatIsMissingIsFoundByTheCheck() {
    m_program->write("p.json", pythonPipeline("absent"));
    const Outcome outcome = m_program->run({"check", "p.json"});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.out.contains("the file has no `absent`"), outcome.out.constData());
  }

  void noProcessIsLeft_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("interrupted") << SIGINT;
    QTest::newRow("terminated") << SIGTERM;
    QTest::newRow("killed") << SIGKILL;
    QTest::newRow("interrupted in an import") << -SIGINT;
    QTest::newRow("killed in an import") << -SIGKILL;
  }
  void noProcessIsLeft() {
    QFETCH(int, signal);
    if (signal < 0) m_program->write("mine.py", kHangingFile + "hangs(0)\n");
    signal = std::abs(signal);
    m_program->write("p.json", pythonPipeline("hangs"));
    const auto process = m_program->start({"run", "p.json", "--seconds", "30"});
    QFile called(m_program->path("processes"));
    QTRY_VERIFY_WITH_TIMEOUT(called.exists(), 60'000);
    QVERIFY(called.open(QIODevice::ReadOnly));
    const QList<QByteArray> ids = called.readLine().trimmed().split(' ');
    QCOMPARE(ids.size(), 2);
    QVERIFY(isThere(ids[0].toLongLong()) && isThere(ids[1].toLongLong()));
    QElapsedTimer waited;
    waited.start();
    ::kill(static_cast<pid_t>(process->processId()), signal);
    QVERIFY(ended(*process));
    QVERIFY2(waited.elapsed() < 20'000, qPrintable(QString::number(waited.elapsed())));
    for (const QByteArray& id : ids) QVERIFY2(goesSoon(id.toLongLong()), id.constData());
  }

 private:
  std::unique_ptr<Program> m_program;
};

MILLRACE_TEST_CASE(TestPythonNodeProgram)

}  // namespace millrace::tests

#include "tst_python_node.moc"
