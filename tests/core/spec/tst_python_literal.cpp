// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/python_literal.h"

#include <QProcess>
#include <QStandardPaths>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

QByteArray pythonOutput(const std::string& program) {
  QProcess process;
  process.start("python3", {"-"});
  process.write(program.data(), static_cast<qint64>(program.size()));
  process.closeWriteChannel();
  process.waitForFinished(60000);
  return process.readAllStandardOutput() + process.readAllStandardError();
}

/// Texts that break out of a literal that is not escaped correctly.
std::vector<std::string> attempts() {
  std::vector<std::string> all{"",
                               "plain",
                               "\"; import os; os.abort(); \"",
                               "'''\"\"\"",
                               "ends with a backslash\\",
                               "\\\"",
                               "line\nbreak\r\nreturn\r",
                               "tab\tbell\a form\f vertical\v",
                               "{braces} %s $HOME {0}",
                               "# coding: utf-7",
                               "Grüße, мир, 世界, 🙂",
                               "\xe2\x80\xa8 line \xe2\x80\xa9 separators \xc2\x85",
                               "\xe2\x80\xaereversed\xe2\x80\xac \xe2\x81\xa6isolate",
                               "\xef\xbb\xbfmark",
                               "not utf-8: \xff\xfe \x80\" + b\"",
                               "half \xe2\x82",
                               "surrogate \xed\xa0\x80"};
  all.emplace_back("zero\0byte", 9);
  std::string every;
  for (int byte = 1; byte < 256; ++byte) every += static_cast<char>(byte);
  all.push_back(every);
  return all;
}

std::string hex(const std::string& bytes) {
  return QByteArray::fromStdString(bytes).toHex().toStdString();
}

}  // namespace

class TestPythonLiteral : public QObject {
  Q_OBJECT
 private slots:
  void aTextReadsPlainly() {
    QCOMPARE(pythonText("/data/photos"), std::string("\"/data/photos\""));
    QCOMPARE(pythonText("Grüße \"x\""), std::string("\"Grüße \\\"x\\\"\""));
    QCOMPARE(pythonText("\xff"), std::string("os.fsdecode(b\"\\xff\")"));
  }

  void noTextBreaksOutOfItsLiteralAndAllReadBackTheSame() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    std::string program = "import os\n";
    std::string wanted;
    for (const std::string& text : attempts()) {
      const std::string literal = pythonText(text);
      QVERIFY(literal.find('\n') == std::string::npos && literal.find('\r') == std::string::npos);
      program += "print(os.fsencode(" + literal + ").hex())\n";
      wanted += hex(text) + "\n";
    }
    QCOMPARE(pythonOutput(program), QByteArray::fromStdString(wanted));
  }

  void noTextLeavesItsComment() {
    for (const std::string& text : attempts()) {
      const std::string comment = commentText(text);
      for (const char c : comment) QVERIFY(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
      QVERIFY(comment.find("\xe2\x80\xa8") == std::string::npos);
      QVERIFY(comment.find("\xe2\x80\xae") == std::string::npos);
    }
  }

  void realsKeepTheirValueAndAreFloats() {
    QCOMPARE(pythonReal(1), std::string("1.0"));
    QCOMPARE(pythonReal(0.1), std::string("0.1"));
    QCOMPARE(pythonReal(1e300), std::string("1e+300"));
    const std::vector<double> one{0.5};
    QCOMPARE(pythonReals(one), std::string("(0.5,)"));
  }

  void longCallsBreakAsBlackBreaksThem() {
    QCOMPARE(wrappedPython("f(a, b)", 4), std::string("f(a, b)"));
    QCOMPARE(wrappedPython("name = call(\"first, (text\", [1, 2], other(3))", 0, 30),
             std::string("name = call(\n    \"first, (text\",\n    [1, 2],\n    other(3),\n)"));
    QCOMPARE(wrappedPython("g(h(aaaaaaaaaa, bbbbbbbbbb))", 0, 20),
             std::string("g(\n    h(\n        aaaaaaaaaa,\n        bbbbbbbbbb,\n    )\n)"));
    QCOMPARE(wrappedPython("x = (\"aaaaaaaaaaaaaaaaaaaa\",)", 0, 20),
             std::string("x = (\n    \"aaaaaaaaaaaaaaaaaaaa\",\n)"));
    QCOMPARE(wrappedPython("name = call(aaaaaa, bbbbbb)", 0, 20),
             std::string("name = call(\n    aaaaaa, bbbbbb\n)"));
    QCOMPARE(wrappedPython("x = [1, 2, 3, 4, 5, 6, 7, 8, 9]", 0, 16),
             std::string("x = [\n    1, 2, 3, 4,\n    5, 6, 7, 8,\n    9,\n]"));
  }
};

}  // namespace millrace

using millrace::TestPythonLiteral;
MILLRACE_TEST_CASE(TestPythonLiteral)
#include "tst_python_literal.moc"
