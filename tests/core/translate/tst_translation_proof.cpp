// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/translate/translation_proof.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

FieldDifference picture(double largest, double mean) {
  return {.name = "image", .samples = 4, .largest = largest, .mean = mean, .level = 0.02};
}

TranslationProof proofOf(FieldDifference field) {
  return {.theirs = 10, .pipeline = 10, .compared = 4, .fields = {std::move(field)}};
}

}  // namespace

class TestTranslationProof : public QObject {
  Q_OBJECT
 private slots:
  void picturesMayDifferByRounding() {
    QVERIFY(picture(0, 0).equal());
    QVERIFY(picture(0.02, 0.02).close());  // one level everywhere
    QVERIFY(!picture(0.02, 0.02).equal());
    QVERIFY(picture(0.04, 0.009).close());
    QVERIFY(!picture(0.04, 0.011).close());
    QVERIFY(!picture(0.05, 0.001).close());
  }

  void classesMustBeEqual() {
    QVERIFY((FieldDifference{.name = "label", .samples = 4}).close());
    QVERIFY(!(FieldDifference{.name = "label", .samples = 4, .largest = 1, .mean = 0.1}).close());
  }

  void otherShapesAreNeverEqual() {
    FieldDifference field = picture(0, 0);
    field.trouble = "3x8x8 in the pipeline, but 3x8x9 in your dataset";
    QVERIFY(!field.close());
    QVERIFY(!proofOf(field).holds());
  }

  void itHoldsOnlyForAllSamples() {
    QVERIFY(proofOf(picture(0, 0)).holds());
    TranslationProof proof = proofOf(picture(0, 0));
    proof.pipeline = 9;
    QVERIFY(!proof.holds());
    proof = proofOf(picture(0, 0));
    proof.failures = {"sample 3: it cannot be read"};
    QVERIFY(!proof.holds());
    proof = proofOf(picture(0, 0));
    proof.compared = 0;
    QVERIFY(!proof.holds());
  }
};

MILLRACE_TEST_CASE(TestTranslationProof)

}  // namespace millrace

#include "tst_translation_proof.moc"
