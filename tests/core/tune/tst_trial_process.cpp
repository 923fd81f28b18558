// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/inherited_text.h"
#include "core/tune/trial_process.h"

#include <csignal>

#include "tests/support/test_case.h"

namespace millrace {

class TestTrialProcess : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_lines.clear(); }

  void itsLinesAreHeardAndItsCodeAndErrorsAreKept() {
    const auto end = shell("echo one; echo two; echo wrong >&2; exit 5");
    QCOMPARE(end->kind, TrialEnd::Kind::Exited);
    QCOMPARE(end->code, 5);
    QCOMPARE(end->errors, std::string("wrong\n"));
    QCOMPARE(m_lines, (std::vector<std::string>{"one", "two"}));
  }

  void aCrashIsItsSignal() {
    const auto end = shell("kill -KILL $$");
    QCOMPARE(end->kind, TrialEnd::Kind::Signalled);
    QCOMPARE(end->code, SIGKILL);
  }

  void aHangEndsWithItsWholeGroup() {
    // The inner shell would keep the pipe open if it were left running.
    const auto end = shell("echo begun; sh -c 'while :; do sleep 100; done'", {0.1, 0});
    QCOMPARE(end->kind, TrialEnd::Kind::TimedOut);
    QCOMPARE(m_lines, std::vector<std::string>{"begun"});
  }

  void memoryBeyondTheLimitEndsIt() {
    const auto end =
        shell("x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 100", {60, 60000000});
    QCOMPARE(end->kind, TrialEnd::Kind::OverMemory);
    QVERIFY(end->peakBytes > 60000000);
  }

  void aStoppedOneIsInterrupted() {
    TrialProcess process({"/bin/sh", "-c",
                          "trap 'echo asked; exit 3' INT; echo begun; "
                          "while :; do sleep 0.01; done"},
                         {60, 0}, [&](std::string_view line) {
                           m_lines.emplace_back(line);
                           m_process->stop();
                         });
    m_process = &process;
    const auto end = process.run();
    QCOMPARE(end->kind, TrialEnd::Kind::Stopped);
    QCOMPARE(m_lines.back(), std::string("asked"));
  }

  void aCommandThatIsNotThereSaysSo() {
    TrialProcess process({"/nowhere/at/all"}, {}, [](std::string_view) {});
    const auto end = process.run();
    QVERIFY(end.ok());
    QCOMPARE(end->kind, TrialEnd::Kind::Exited);
    QCOMPARE(end->code, 127);
  }

  void itHearsWhatItIsToldAndHasItsOwnVariables() {
    TrialProcess process({"/bin/bash", "-c", "echo ready; read line; echo $line $OWN $HOME"},
                         {60, 0}, [&](std::string_view line) {
                           m_lines.emplace_back(line);
                           if (line == "ready") m_process->tell("go on");
                         });
    m_process = &process;
    process.setEnvironment({{"OWN", "1"}, {"HOME", "/else"}});
    process.tell("sent before the start");
    QCOMPARE(process.run()->code, 0);
    QCOMPARE(m_lines.back(), std::string("go on 1 /else"));
  }

  void howItEndedIsSaid() {
    const auto words = [&](const char* script) {
      return QString::fromStdString(wordsOf(*shell(script)));
    };
    QCOMPARE(words("exit 5"), "it ended with exit code 5");
    QVERIFY(words("kill -KILL $$").contains("memory"));
    QVERIFY(words("kill -SEGV $$").startsWith("it crashed: signal 11"));
  }

  void aTextIsInherited() {
    const auto text = InheritedText::make("what it says\n");
    QVERIFY(text.ok());
    const auto end = shell("cat " + text->path() + "; cat " + text->path());
    QCOMPARE(end->code, 0);
    QCOMPARE(m_lines, (std::vector<std::string>{"what it says", "what it says"}));
  }

 private:
  Result<TrialEnd> shell(const std::string& script, TrialLimits limits = {60, 0}) {
    TrialProcess process({"/bin/bash", "-c", script}, limits,
                         [this](std::string_view line) { m_lines.emplace_back(line); });
    return process.run();
  }

  std::vector<std::string> m_lines;
  TrialProcess* m_process = nullptr;
};

MILLRACE_TEST_CASE(TestTrialProcess)

}  // namespace millrace

#include "tst_trial_process.moc"
