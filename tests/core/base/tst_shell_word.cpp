// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/shell_word.h"

#include <QProcess>

#include "tests/support/test_case.h"

namespace millrace {

class TestShellWord : public QObject {
  Q_OBJECT
 private slots:
  void plainWordsStayAsTheyAre() {
    for (const char* word : {"B:workers.count=4", "/data/photos", "50%", "a@b", "-"})
      QCOMPARE(shellWord(word), std::string(word));
  }

  void aShellGivesBackEveryWord() {
    for (const std::string word : {"", "two words", "it's", "a\n", "$HOME", "`id`", "a;b", "*", "~",
                                   "\\", "\"", "sch\xc3\xb6n"}) {
      QProcess shell;
      shell.start("sh", {"-c", QString::fromStdString("printf %s " + shellWord(word))});
      QVERIFY(shell.waitForFinished());
      QCOMPARE(shell.readAllStandardOutput().toStdString(), word);
    }
  }
};

}  // namespace millrace

using millrace::TestShellWord;
MILLRACE_TEST_CASE(TestShellWord)
#include "tst_shell_word.moc"
