// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestText : public QObject {
  Q_OBJECT
 private slots:
  void aSingleLineHasNoControlCharacters_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("line");
    QTest::newRow("plain") << QByteArray("a caf\xc3\xa9, \xe7\xa3\xa8") << "a café, 磨";
    QTest::newRow("breaks") << QByteArray("a\nb\r\nc\td") << "a b  c d";
    QTest::newRow("terminal command") << QByteArray("\x1b[31mred") << "\uFFFD[31mred";
    QTest::newRow("delete and null") << QByteArray("a\x7f\x00z", 4) << "a\uFFFD\uFFFDz";
    QTest::newRow("C1 control") << QByteArray(
                                       "a\xc2\x9b"
                                       "1m")
                                << "a\uFFFD1m";
    QTest::newRow("no-break space") << QByteArray(
                                           "1\xc2\xa0"
                                           "000")
                                    << "1\u00A0000";
    QTest::newRow("not UTF-8") << QByteArray("a\xc2") << "a\uFFFD";
  }
  void aSingleLineHasNoControlCharacters() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, line);
    QCOMPARE(QString::fromStdString(singleLine(bytes.toStdString())), line);
  }
};

MILLRACE_TEST_CASE(TestText)

}  // namespace millrace

#include "tst_text.moc"
