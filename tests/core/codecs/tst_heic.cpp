// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"

namespace millrace {
using tests::Picture;

class TestHeic : public QObject {
  Q_OBJECT
 private slots:
  void everyRegionHasThePixelsOfTheWhole() {
    const Picture picture = tests::colourful(70, 50, 3, 4);
    const auto file = writePlainHeic(picture);
    const Picture whole = tests::decoded(file);
    QCOMPARE(whole.bytes.size(), picture.bytes.size());
    // The conversion to YCbCr of 8 bits and back.
    for (std::size_t i = 0; i < whole.bytes.size(); ++i)
      QVERIFY(std::abs(whole.bytes[i] - picture.bytes[i]) <= 4);
    tests::checkRegions(file, whole);
  }

  void theHeadSaysWhatTheFileHolds() {
    ImageDecoder decoder;
    const auto info = decoder.open(writePlainHeic(tests::colourful(70, 50, 3, 4)));
    VERIFY_OK(info);
    QVERIFY(info->format == "HEIC");
    QCOMPARE(info->orientation, 1);
    QVERIFY(!info->reduced.any());
  }

  void truncatedAndDamagedFilesAreErrorsOrPictures() {
    const auto file = writePlainHeic(tests::colourful(70, 50, 3, 4));
    tests::checkTruncated(file, 32);
    tests::checkDamaged(file, 32);
    QCOMPARE(tests::messageOf(std::span(file).first(300)),
             std::string("truncated after 300 bytes"));
  }

  void tooManyPixelsAreRefusedBeforeMemoryIsTaken() {
    tests::checkLimit(writePlainHeic(tests::colourful(70, 50, 3, 4)));
  }
};

}  // namespace millrace

using millrace::TestHeic;
MILLRACE_TEST_CASE(TestHeic)
#include "tst_heic.moc"
