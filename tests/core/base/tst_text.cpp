// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/text.h"

#include "core/base/text/visible_name.h"
#include "core/base/text/visible_text.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestText : public QObject {
  Q_OBJECT
 private slots:
  void theNearestWordCountsExchangedLettersOnce() {
    const std::vector<std::string> words = {"flip", "crop", "blur", "run"};
    QCOMPARE(nearest("filp", words), std::string("flip"));
    QCOMPARE(nearest("rnu", words), std::string("run"));
    QCOMPARE(nearest("flpi", words), std::string("flip"));
    QCOMPARE(nearest("corp", words), std::string("crop"));
    QCOMPARE(nearest("lfpi", words), std::string());  // Two edits are too many for four letters.
    QCOMPARE(nearest("", words), std::string());
    QCOMPARE(nearest(std::string(100, 'f'), words), std::string());
  }

  void aSingleLineHasNoControlCharacters_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("line");
    QTest::newRow("plain") << QByteArray("a caf\xc3\xa9, \xe7\xa3\xa8") << "a café, 磨";
    QTest::newRow("breaks") << QByteArray("a\nb\r\nc\td") << "a b  c d";
    QTest::newRow("terminal command") << QByteArray("\x1b[31mred") << "\\x1b[31mred";
    QTest::newRow("delete and null") << QByteArray("a\x7f\x00z", 4) << "a\\u007f\\x00z";
    QTest::newRow("C1 control") << QByteArray(
                                       "a\xc2\x9b"
                                       "1m")
                                << "a\\u009b1m";
    QTest::newRow("no-break space") << QByteArray(
                                           "1\xc2\xa0"
                                           "000")
                                    << "1\u00A0000";
    QTest::newRow("not UTF-8") << QByteArray("a\xc2") << "a\\xc2";
    QTest::newRow("direction of writing")
        << QByteArray("a\xe2\x80\xaegpj.exe") << "a\\u202egpj.exe";
  }
  void aSingleLineHasNoControlCharacters() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, line);
    QCOMPARE(QString::fromStdString(singleLine(bytes.toStdString())), line);
  }

  void visibleTextKeepsLinesAndColumns() {
    QCOMPARE(visibleText("a\n\tb\r"), std::string("a\n\tb\\x0d"));
  }
  void aVisibleNameKeepsWhatTellsItFromOthers() {
    QCOMPARE(visibleName("a\nb\tc\r\x1b d"), std::string("a\\nb\\tc\\r\\x1b d"));
    QCOMPARE(visibleName("a\xe2\x80\x8b"
                         "b\xef\xbb\xbf"
                         "c\xc2\xad"
                         "d"),
             std::string("a\\u200bb\\ufeffc\\u00add"));
    const std::string family = "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9";
    QCOMPARE(visibleName(family), family);
  }
};

MILLRACE_TEST_CASE(TestText)

}  // namespace millrace

#include "tst_text.moc"
