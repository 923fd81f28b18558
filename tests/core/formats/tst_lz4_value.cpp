// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lz4_value.h"

#include <span>
#include <string>

#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::string unpackedLz4(const std::string& packed, std::size_t bytes) {
  std::string to(bytes, '?');
  const Status done =
      Lz4Unpacker().unpack(std::as_bytes(std::span(packed)), std::as_writable_bytes(std::span(to)));
  return done ? to : "error: " + done.error().message;
}

}  // namespace

class TestLz4Value : public QObject {
  Q_OBJECT
 private slots:
  /// Includes lengths whose block, with the size before it, would be as long as the content.
  void whatIsPackedIsUnpackedAndNeverAsLong() {
    MILLRACE_NEEDS_PART("lz4");
    for (std::size_t bytes = 0; bytes < 600; ++bytes)
      for (const std::size_t period : {1, 2, 5, 200, 700}) {
        std::string value(bytes, '\0');
        for (std::size_t i = 0; i < bytes; ++i)
          value[i] = static_cast<char>(i % period * (i % period + 7));
        const auto packed = packedLz4(value);
        VERIFY_OK(packed);
        QVERIFY(packed->size() != bytes);
        QVERIFY(Lz4Unpacker::isPacked(std::as_bytes(std::span(*packed)), bytes) || bytes == 0);
        QCOMPARE(unpackedLz4(*packed, bytes), value);
      }
  }
};

}  // namespace millrace

using millrace::TestLz4Value;
MILLRACE_TEST_CASE(TestLz4Value)
#include "tst_lz4_value.moc"
