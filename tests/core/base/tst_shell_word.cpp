// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/shell_word.h"

#include <algorithm>
#include <cstdio>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

// popen instead of QProcess: the thread sanitizer crashes in QProcess's child.
std::string outputOf(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no shell";
  std::string output;
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe))
    output.push_back(static_cast<char>(byte));
  return pclose(pipe) == 0 ? output : "the shell refused: " + command;
}

}  // namespace

class TestShellWord : public QObject {
  Q_OBJECT
 private slots:
  void plainWordsStayAsTheyAre() {
    for (const char* word : {"B:workers.count=4", "/data/photos", "50%", "a@b", "-"})
      QCOMPARE(shellWord(word), std::string(word));
  }

  void aShellGivesBackEveryWord() {
    for (const std::string word : {"", "two words", "it's", "a\n", "$HOME", "`id`", "a;b", "*", "~",
                                   "\\", "\"", "sch\xc3\xb6n"})
      QCOMPARE(outputOf("printf %s " + shellWord(word)), word);
  }

  void aWordThatIsShownHasNoHiddenCharacter() {
    QCOMPARE(shownShellWord("it's"), shellWord("it's"));
    for (const std::string word : {"a\nNext: rm -rf", "it's\t\\", "\x1b[2J", "b\xff",
                                   "a\xe2\x80\xaegpj", "zero\xe2\x80\x8bwidth"}) {
      const std::string shown = shownShellWord(word);
      QVERIFY(std::ranges::all_of(shown, [](char c) { return c >= ' ' && c <= '~'; }));
      QCOMPARE(outputOf("bash -c " + shellWord("printf %s " + shown)), word);
    }
  }
};

}  // namespace millrace

using millrace::TestShellWord;
MILLRACE_TEST_CASE(TestShellWord)
#include "tst_shell_word.moc"
