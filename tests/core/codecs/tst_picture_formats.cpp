// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/picture_formats.h"

#include "core/base/text/text.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestPictureFormats : public QObject {
  Q_OBJECT
 private slots:
  void everyFormatHasEndingsInAnyCase() {
    for (const char* ending : {"jpg", "PNG", "gif", "Avif", "heic", "jxl", "jp2", "tiff"})
      QVERIFY2(isPictureExtension(ending), ending);
    QVERIFY(!isPictureExtension("txt"));
  }

  /// Exported Python code has its own list.
  void exportedCodeKnowsEveryEnding() {
    const std::string code =
        tests::contentOf(tests::sourcePath("resources/export/python/manifest_cells.py"));
    for (const std::string& ending : split(pictureExtensions(";"), ';'))
      QVERIFY2(code.find("." + ending + "|") != std::string::npos ||
                   code.find("." + ending + "\"") != std::string::npos,
               ending.c_str());
  }
};

}  // namespace millrace

using millrace::TestPictureFormats;
MILLRACE_TEST_CASE(TestPictureFormats)
#include "tst_picture_formats.moc"
