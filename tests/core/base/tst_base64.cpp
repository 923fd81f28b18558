// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/base64.h"

#include <QByteArray>

#include "tests/support/test_case.h"

namespace millrace {

class TestBase64 : public QObject {
  Q_OBJECT

  static std::vector<std::byte> bytesOf(const QByteArray& text) {
    std::vector<std::byte> bytes;
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
  }

 private slots:
  /// Qt's encoder is the reference.
  void everyLengthAndByteIsEncodedAsQtDoes() {
    QByteArray all;
    for (int i = 0; i < 300; ++i) {
      QCOMPARE(QByteArray::fromStdString(base64Of(bytesOf(all))), all.toBase64());
      const auto back = bytesOfBase64(all.toBase64().toStdString());
      QVERIFY(back.has_value());
      QVERIFY(*back == bytesOf(all));
      all.append(static_cast<char>(i * 7));
    }
  }

  void otherTextsAreRefused() {
    for (const char* text : {"A", "AA", "AAA", "A===", "====", "AA=A", "AA-A",
                             "AB==", "AAB=", "AA==AAAA", "AAAA\n", "AA\xff="})
      QVERIFY2(!bytesOfBase64(text).has_value(), text);
  }
};

}  // namespace millrace

using millrace::TestBase64;
MILLRACE_TEST_CASE(TestBase64)
#include "tst_base64.moc"
