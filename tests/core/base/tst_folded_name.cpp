// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/folded_name.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestFoldedName : public QObject {
  Q_OBJECT
 private slots:
  void combinedAndSeparateAccentsAreOneName() {
    // QString normalises with Unicode's own tables.
    for (const char* text : {"é", "Ünïcödé", "ệ", "Å", "が", "한국어", "Ǖ", "ṩ"}) {
      const QString name = QString::fromUtf8(text);
      const std::string composed = name.normalized(QString::NormalizationForm_C).toStdString();
      const std::string separate = name.normalized(QString::NormalizationForm_D).toStdString();
      const QString folded = name.toLower().normalized(QString::NormalizationForm_D);
      QCOMPARE(foldedName(composed), folded.toStdString());
      QCOMPARE(foldedName(separate), folded.toStdString());
    }
  }

  void caseIsFolded() {
    QCOMPARE(foldedName("IMG_1.JPG"), foldedName("img_1.jpg"));
    QCOMPARE(foldedName("ÄÖÉ"), foldedName("äöé"));
    QCOMPARE(foldedName("ΑΒΩ"), foldedName("αβω"));
    QCOMPARE(foldedName("ДЖЁ"), foldedName("джё"));
    QVERIFY(foldedName("a") != foldedName("ä"));
  }

  void bytesThatAreNotUtf8Stay() {
    QCOMPARE(foldedName("Mu\xF1oz.jpg"), std::string("mu\xF1oz.jpg"));
    QCOMPARE(foldedName("\xE2\x82"), std::string("\xE2\x82"));
    QCOMPARE(foldedName(""), std::string());
    QVERIFY(foldedName("001") != foldedName("1"));
    QCOMPARE(looseName("IMG_001.jpg"), looseName("img_1.jpg"));
    QCOMPARE(looseName("000"), std::string("0"));
    QCOMPARE(looseName("10_0a"), std::string("10_0a"));
    QVERIFY(looseName("100") != looseName("1"));
  }
};

MILLRACE_TEST_CASE(TestFoldedName)

}  // namespace millrace

#include "tst_folded_name.moc"
