// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What reaches a terminal, a pipe and JSON: colours, widths, names with control characters, errors.
#include <QJsonArray>
#include <QRegularExpression>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

QByteArray longestLine(const QByteArray& text) {
  QByteArray longest;
  for (const QByteArray& line : text.split('\n'))
    if (QString::fromUtf8(line).size() > QString::fromUtf8(longest).size()) longest = line;
  return longest.trimmed();
}

}  // namespace

class TestTerminal : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
  }

  void coloursAreShownWhereTheUserWantsThem() {
    const auto errorOf = [this](const QString& line) {
      return m_program->shell("TERM=xterm " + line).err;
    };
    QVERIFY(!errorOf("$MILLRACE run absent").contains('\x1b'));
    QVERIFY(errorOf("$MILLRACE run absent --color=always").startsWith("\x1b[1;31merror:\x1b[0m "));
    QVERIFY(errorOf("$MILLRACE --color always run absent").contains('\x1b'));
    QCOMPARE(m_program->run({"run", "absent", "--color=green"}).code, 2);
    QVERIFY(onTerminal("check absent").contains("\x1b[1;31merror:"));
    QVERIFY(!onTerminal("check absent --color=never").contains('\x1b'));
    QVERIFY(!onTerminal("check absent", "NO_COLOR=1").contains('\x1b'));
    QVERIFY(!onTerminal("check absent", "TERM=dumb").contains('\x1b'));
  }

  void failedSamplesFitOnThePage() {
    m_program->write("photos/a/" + QString(60, 'n') + ".png", "no picture");
    const Outcome run = m_program->run(
        QStringList{"run", "classification", "--data", m_program->path("photos")} + shortly());
    QVERIFY2(run.out.contains("1 sample failed"), run.out.constData());
    QVERIFY2(longestLine(run.out).size() <= 80, longestLine(run.out).constData());
  }

  /// A sentence fills its lines from the margin on, and a command that is wrapped can be copied.
  void theTextBelowTheOptionsIsSetInParagraphs() {
    for (const char* command : {"run", "tune", "sweep", "convert", "export", "compare", "diagnose",
                                "inspect", "import", "loader", "check", "runs delete"}) {
      const QByteArray help =
          m_program->run(QString::fromLatin1(command).split(' ') << "--help").out;
      const QList<QByteArray> lines = help.mid(help.indexOf("\nExample") + 1).split('\n');
      for (qsizetype i = 1; i < lines.size(); ++i) {
        const QByteArray& before = lines[i - 1];
        const bool isSentence = !before.startsWith(' ') && !before.startsWith("Example") &&
                                !before.isEmpty() && !before.endsWith(':');
        const bool isCommand = before.trimmed().startsWith("millrace ");
        QVERIFY2(!isSentence || !lines[i].startsWith("    "), lines[i].constData());
        QVERIFY2(!isCommand || !lines[i].startsWith("    ") ||
                     lines[i].trimmed().startsWith("millrace ") || before.endsWith(" \\"),
                 lines[i].constData());
        const QByteArray word = lines[i].left(lines[i].indexOf(' '));
        const bool inSentence = isSentence && !word.isEmpty() && word.front() >= 'a';
        QVERIFY2(!inSentence || before.size() + 1 + word.size() > 80, before.constData());
      }
    }
  }

  void pagesAreAsWideAsTheTerminalAndTablesInAPipeAreWhole() {
    const QByteArray name(120, 'n');
    QCOMPARE(runWith({"--name", name, "--tag", "a-tag-that-is-long"}).code, 0);
    QVERIFY(m_program->run({"runs", "list"}).out.contains(name));
    for (const int width : {80, 100}) {
      const QByteArray list = onTerminal("runs list", QString("COLUMNS=%1").arg(width));
      QVERIFY(!list.contains(name));
      QVERIFY(longestLine(list).size() <= width && longestLine(list).size() > width - 5);
    }
    QVERIFY(onTerminal("runs list", "COLUMNS=250").contains(name));
    QVERIFY(longestLine(m_program->run({"check", m_pipeline}).out).size() <= 80);
    for (const QString& command : {QString("nodes"), QString("nodes image_folder")}) {
      QVERIFY(longestLine(onTerminal(command, "COLUMNS=100")).size() > 90);
      QVERIFY(longestLine(onTerminal(command, "COLUMNS=60")).size() <= 60);
    }
  }

  void aTerminalGetsWrappedMessagesAndAScriptWholeSentences() {
    for (const QString& command :
         {QString("run p.json --seconds 0"),
          QString("sweep p.json --vary batch.size=x --csv /no/such/folder/for/results.csv"),
          QString("run /a/path/that/is/long/enough/to/fill/a/whole/line/of/the/terminal.json")}) {
      const Outcome piped = m_program->run(command.split(' '));
      const QByteArray sentence = piped.err.split('\n').front();
      QVERIFY2(sentence.size() > 60, piped.err.constData());
      const QByteArray shown = onTerminal(command + " --color never", "COLUMNS=60");
      // A path is not broken.
      QVERIFY2(longestLine(shown).size() <= 79, shown.constData());
      QVERIFY2(shown.simplified().startsWith(sentence), shown.constData());
    }
  }

  void aSpreadInTheListHasTwoDigits() {
    const QString run = "$MILLRACE run p.json --batches 2 --repeats 3 --warmup 0 --no-fingerprint";
    static const QRegularExpression spread("\\+-[0-9]|\\[[0-9]");
    QString list;
    // Where two of the three repeats were disturbed, there is no spread to show.
    for (int attempt = 0; attempt < 10 && !spread.match(list).hasMatch(); ++attempt) {
      QCOMPARE(m_program->shell(run).code, 0);
      list = QString::fromUtf8(m_program->run({"runs", "list"}).out);
    }
    QVERIFY2(spread.match(list).hasMatch(), qPrintable(list));
    static const QRegularExpression half("\\+-([0-9][0-9 .]*)");
    const QRegularExpressionMatch match = half.match(list);
    if (!match.hasMatch()) return;  // An interval that is not symmetric.
    static const QRegularExpression zeros("^0+|0+$");
    const QString digits = match.captured(1).remove(' ').remove('.').remove(zeros);
    QVERIFY2(digits.size() <= 2, qPrintable(list));
  }

  void namesSendNothingToTheTerminal() {
    const QByteArray name = "\x1b]0;owned\x07 \xc2\x9b\x31m \xe2\x80\xaegpj \xff";
    QCOMPARE(runWith({"--name", name, "--tag", "t\x1b[2J"}).code, 0);
    for (const QStringList& command : {QStringList{"runs", "list"},
                                       {"runs", "show", "last"},
                                       {"runs", "list", "--csv"},
                                       {"runs", "export"},
                                       {"runs", "compare", "last", "last"}}) {
      const Outcome outcome = m_program->run(command);
      const QByteArray all = outcome.out + outcome.err;
      for (const char* raw : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae", "\xff"})
        QVERIFY2(!all.contains(raw), qPrintable(command.join(' ')));
    }
    QVERIFY(m_program->run({"runs", "list"}).out.contains("\\x1b]0;owned"));
    const Outcome missing = m_program->shell("$MILLRACE run $'\\e[31mx.json'");
    QVERIFY(missing.err.contains("\\x1b[31mx.json") && !missing.err.contains('\x1b'));
    const QJsonDocument json =
        QJsonDocument::fromJson(m_program->run({"runs", "list", "--json"}).out);
    QVERIFY(json.array().first().toObject()["name"].toString().startsWith(
        QString::fromUtf8("\x1b]0;owned\x07 \u009b1m \u202egpj ")));
  }

  void aFailureIsJsonWhereJsonWasAskedFor_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("problems");
    QTest::newRow("run") << "run absent --json" << true;
    QTest::newRow("check of a bad flag") << "check absent --seed x --json" << false;
    QTest::newRow("plan") << "plan absent --json" << true;
    QTest::newRow("compare") << "compare absent absent --json" << true;
    QTest::newRow("diagnose") << "diagnose absent --json" << true;
    QTest::newRow("sweep") << "sweep absent --vary batch.size=1,2 --json" << true;
    QTest::newRow("tune") << "tune absent --json" << true;
    QTest::newRow("inspect") << "inspect absent --json" << false;
    QTest::newRow("convert") << "convert absent x.tar --json" << false;
    QTest::newRow("nodes") << "nodes absent --json" << false;
    QTest::newRow("sample-data") << "sample-data x --kind absent --json" << false;
    QTest::newRow("runs show") << "runs show 99 --json" << false;
    QTest::newRow("runs compare") << "runs compare 98 99 --json" << false;
    QTest::newRow("runs list") << "runs list nosuch:1 --json" << false;
    QTest::newRow("a wrong option") << "runs list --wrong --json" << false;
  }
  void aFailureIsJsonWhereJsonWasAskedFor() {
    QFETCH(const QString, command);
    QFETCH(const bool, problems);
    QCOMPARE(runWith({}).code, 0);  // Makes the store.
    const Outcome outcome = m_program->run(command.split(' '));
    QVERIFY(outcome.code == 1 || outcome.code == 2);
    QVERIFY2(!outcome.json()["error"].toString().isEmpty(), outcome.out + outcome.err);
    QVERIFY(!outcome.json()["error"].toString().startsWith("error"));
    QCOMPARE(outcome.json()["problems"].toArray().isEmpty(), !problems);
    QVERIFY(!outcome.err.isEmpty());
  }

 private:
  /// A short run with these flags, of any bytes.
  Outcome runWith(const std::initializer_list<QByteArray>& flags) {
    QByteArray line = "$MILLRACE run p.json --batches 2 --repeats 1 --warmup 0 --no-fingerprint";
    for (const QByteArray& flag : flags) {
      m_program->write(QString("arg%1").arg(m_arguments), flag);
      line += " \"$(cat arg" + QByteArray::number(m_arguments++) + ")\"";
    }
    return m_program->shell(QString::fromUtf8(line));
  }
  /// What the program sends to a terminal.
  QByteArray onTerminal(const QString& command, const QString& variables = {}) {
    return m_program
        ->shell(QString("env -u NO_COLOR TERM=xterm %1 script -qec \"$MILLRACE %2\" /dev/null "
                        "</dev/null")
                    .arg(variables, command))
        .out.replace("\r\n", "\n");
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
  int m_arguments = 0;
};

}  // namespace millrace::tests

using millrace::tests::TestTerminal;
MILLRACE_TEST_CASE(TestTerminal)
#include "tst_terminal.moc"
