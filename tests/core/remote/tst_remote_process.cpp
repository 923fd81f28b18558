// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `ssh` is a script here; tests/app/tst_remote.cpp uses the real one.
#include "core/remote/remote_process.h"

#include <thread>

#include <QFile>

#include "core/remote/ssh_trouble.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace std::chrono_literals;

/// Collects what came, and stops the process when asked to.
class Heard final : public RemoteObserver {
 public:
  void onGreeting(const RemoteGreeting& greeting) override {
    machine = greeting.machine;
    if (stopOnGreeting != nullptr) stopOnGreeting->stop();
  }
  void onOutput(std::string_view bytes) override { output += bytes; }
  void onMessage(std::string_view bytes) override { messages += bytes; }

  std::string machine;
  std::string output;
  std::string messages;
  RemoteProcess* stopOnGreeting = nullptr;
};

class TestRemoteProcess : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = qgetenv("PATH");
    qputenv("PATH", m_folder->path().toUtf8() + ":" + m_path);
    qputenv("GREETING", QByteArray::fromStdString(greetingLine()));
  }
  void cleanup() { qputenv("PATH", m_path); }

  void outputMessagesAndExitCodeComeThrough() {
    ssh("echo motd; printf '%s' \"$GREETING\"; head -c 16; echo odd >&2; exit 2");
    Heard heard;
    RemoteProcess process(settings(), {{"doctor"}, {}, std::nullopt, false}, heard);
    const Result<int> code = process.run();
    VERIFY_OK(code);
    QCOMPARE(*code, 2);
    QCOMPARE(heard.output, std::string("0\n0\n1\n6\ndoctor0\n"));
    QCOMPARE(heard.messages, std::string("odd\n"));
    QVERIFY(!heard.machine.empty());
  }

  void aStopClosesTheInput() {
    ssh("printf '%s' \"$GREETING\"; cat >/dev/null; exit 3");
    Heard heard;
    RemoteProcess process(settings(), {{"run"}, {}, std::nullopt, false}, heard);
    heard.stopOnGreeting = &process;
    const Result<int> code = process.run();
    VERIFY_OK(code);
    QCOMPARE(*code, 3);
  }

  void aStopBeforeTheGreetingEndsTheLogin() {
    ssh("exec sleep 1000");
    Heard heard;
    RemoteProcess process(settings(), {}, heard);
    process.stop();
    const Result<int> code = process.run();
    QVERIFY(!code);
    QVERIFY(code.error().message.find("stopped before gpu1") != std::string::npos);
  }

  void aLoginThatDoesNotAnswerIsGivenUp() {
    ssh("exec sleep 1000");
    Heard heard;
    RemoteProcess process(settings(), {}, heard, 200ms);
    const Result<int> code = process.run();
    QVERIFY(!code);
    QVERIFY(code.error().message.find("gpu1 did not answer within") != std::string::npos);
  }

  void anotherVersionGetsNoRequest() {
    ssh("printf '\\036millrace-remote 1 9.9.9 gpu1\\n'; cat >/dev/null");
    Heard heard;
    RemoteProcess process(settings(), {{"run", "secret"}, {}, std::nullopt, false}, heard);
    const Result<int> code = process.run();
    QVERIFY(!code);
    QVERIFY(code.error().message.find("version 9.9.9") != std::string::npos);
    QVERIFY(code.error().message.find("install the same version") != std::string::npos);
    QVERIFY(heard.machine.empty());
  }

  void whatSshReportsBecomesASentence_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("errors");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, int code, const char* errors, const char* sentence) {
      QTest::newRow(name) << code << errors << sentence;
    };
    row("host", 255, "ssh: Could not resolve hostname gpu1: Name or service not known",
        "the host gpu1 is not known");
    row("port", 255, "ssh: connect to host gpu1 port 22: Connection refused",
        "gpu1 refused the connection");
    row("key", 255, "me@gpu1: Permission denied (publickey).", "ssh-copy-id gpu1");
    row("new host", 255, "Host key verification failed.", "log in once with `ssh gpu1`");
    row("changed host", 255,
        "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
        "ssh-keygen -R");
    row("time", 255, "ssh: connect to host gpu1 port 22: Connection timed out", "does not answer");
    row("anything", 255, "one\nsome new trouble\n", "reports: some new trouble");
    row("bash", 127, "bash: line 1: exec: millrace: not found", "there is no program millrace on");
    row("csh", 1, "millrace: Command not found.", "there is no program millrace on");
    row("older", 2, "error: there is no command `__remote`", "is another version");
    row("not Millrace", 0, "", "did not answer as Millrace does");
  }
  void whatSshReportsBecomesASentence() {
    QFETCH(const int, code);
    QFETCH(const QString, errors);
    QFETCH(const QString, sentence);
    const QString text = QString::fromStdString(sshTrouble(settings(), code, errors.toStdString()));
    QVERIFY2(text.contains(sentence), qPrintable(text));
  }

 private:
  static SshSettings settings() { return {.host = "gpu1", .program = "millrace"}; }
  /// Puts a script called `ssh` first in PATH.
  void ssh(const QByteArray& script) {
    QFile file(m_folder->filePath("ssh"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + script + "\n");
    file.close();
    file.setPermissions(file.permissions() | QFile::ExeOwner);
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  QByteArray m_path;
};

MILLRACE_TEST_CASE(TestRemoteProcess)

}  // namespace millrace

#include "tst_remote_process.moc"
