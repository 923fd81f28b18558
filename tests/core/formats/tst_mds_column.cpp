// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_column.h"

#include <cstring>
#include <limits>

#include "tests/support/record_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::littleEndian;

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

MdsColumn columnOf(const char* encoding, std::uint64_t size) {
  auto column = parseMdsColumn("c", encoding, size);
  if (column) return column.take();
  MdsColumn none;
  none.name = column.error().message;
  return none;
}

/// "i64 2x3", or the error's text.
std::string valueText(const MdsColumn& column, const std::string& bytes) {
  const auto value = mdsValue(column, bytesOf(bytes));
  return value ? std::string(nameOf(value->dtype)) + " " + value->shape.text()
               : value.error().message;
}

/// The elements of a value as numbers of type T; the error's text in `error`.
template <class T>
std::vector<T> numbersOf(const MdsColumn& column, const std::string& bytes, std::string& error) {
  const auto value = mdsValue(column, bytesOf(bytes));
  if (!value) return error = value.error().message, std::vector<T>();
  std::vector<T> numbers(value->elements());
  const Status copied = copyMdsElements(*value, reinterpret_cast<std::byte*>(numbers.data()));
  error = copied ? "" : copied.error().message;
  return numbers;
}

}  // namespace

class TestMdsColumn : public QObject {
  Q_OBJECT
 private slots:
  void anEncodingSaysHowItsBytesAreRead_data() {
    QTest::addColumn<QByteArray>("encoding");
    QTest::addColumn<quint64>("size");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* encoding, quint64 size, const std::string& bytes,
                        const char* value) {
      QTest::addRow("%s %s", encoding, value)
          << QByteArray(encoding) << size << QByteArray::fromStdString(bytes) << QByteArray(value);
    };
    const std::string eight = "01234567";
    row("bytes", 0, "abc", "encoded 3");
    row("jpeg", 0, "", "encoded 0");
    row("pkl", 0, "abc", "encoded 3");
    row("int", 8, eight, "i64 scalar");
    row("uint32", 4, "0123", "i64 scalar");
    row("float16", 2, "01", "f16 scalar");
    row("str_float", 0, "1.5", "f64 scalar");
    row("ndarray:int16:2,2", 8, eight, "i16 2x2");
    row("ndarray:int16", 0, std::string("\x08\x02\x02", 3) + eight, "i16 2x2");
    row("ndarray:uint8", 0, std::string("\x05\x08\x00", 3) + eight, "u8 8");
    row("ndarray", 0, std::string("\x22\x04\x02", 3) + eight, "f32 2");
    row("ndarray", 0, std::string("\x09\x00", 2) + "x", "i8 scalar");
    row("pil", 0, littleEndian(2, 4) + littleEndian(1, 4) + littleEndian(3, 4) + "RGB012345",
        "u8 1x2x3");
  }
  void anEncodingSaysHowItsBytesAreRead() {
    QFETCH(QByteArray, encoding);
    QFETCH(quint64, size);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, value);
    QCOMPARE(valueText(columnOf(encoding.constData(), size), bytes.toStdString()),
             value.toStdString());
  }

  void anEncodingThatIsUnknownOrContradictsItsSizeIsNamed_data() {
    QTest::addColumn<QByteArray>("encoding");
    QTest::addColumn<quint64>("size");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* encoding, quint64 size, const char* error) {
      QTest::newRow(encoding) << QByteArray(encoding) << size << QByteArray(error);
    };
    row("int128", 16, "column `c` has the unknown encoding `int128`");
    row("", 0, "column `c` has the unknown encoding ``");
    row("ndarray:complex64", 0, "column `c` has the unknown encoding `ndarray:complex64`");
    row("ndarray:int8:0", 0, "column `c` is `ndarray:int8:0`: up to");
    row("ndarray:int8:2,", 0, "column `c` is `ndarray:int8:2,`: up to");
    row("ndarray:int8:-1", 0, "column `c` is `ndarray:int8:-1`: up to");
    row("ndarray:int8:1,1,1,1,1,1,1,1,1,1,1", 0, "column `c` is `ndarray:int8:1,1,1");
    row("ndarray:int64:65536,65536", 0,
        "column `c` is `ndarray:int64:65536,65536`: one value exceeds a shard");
    row("int", 4, "column `c` is `int` of 4 bytes, but 8 were expected");
    row("jpeg", 7, "column `c` is `jpeg` of 7 bytes, but any number were expected");
  }
  void anEncodingThatIsUnknownOrContradictsItsSizeIsNamed() {
    QFETCH(QByteArray, encoding);
    QFETCH(quint64, size);
    QFETCH(QByteArray, error);
    const auto column = parseMdsColumn("c", encoding.toStdString(), size);
    QVERIFY(!column);
    QVERIFY2(column.error().message.starts_with(error.constData()), column.error().message.c_str());
  }

  void bytesThatDoNotMatchTheirColumnAreRefused() {
    const auto says = [](const char* encoding, std::uint64_t size, const std::string& bytes) {
      return valueText(columnOf(encoding, size), bytes);
    };
    QCOMPARE(says("int", 8, "1234567"), std::string("7 bytes do not match scalar i64"));
    QCOMPARE(says("ndarray:int16:2,2", 8, "12"), std::string("2 bytes do not match 2x2 i16"));
    QCOMPARE(says("ndarray", 0, ""), std::string("an array of 0 bytes is truncated"));
    QCOMPARE(says("ndarray", 0, "\x08"), std::string("an array of 1 bytes is truncated"));
    QCOMPARE(says("ndarray:int8", 0, "\x08\x01"), std::string("an array of 2 bytes is truncated"));
    QCOMPARE(says("ndarray", 0, "\x07x"), std::string("7 is not a type of an array"));
    const std::string huge = "\x0b" + littleEndian(1ULL << 30U, 8) + littleEndian(1ULL << 30U, 8);
    QVERIFY(says("ndarray:int8", 0, huge).starts_with("an array of 2 axes; up to"));
  }

  void pixelsAreCheckedAgainstTheirHeader() {
    const MdsColumn column = columnOf("pil", 0);
    const auto says = [&](unsigned width, unsigned height, const std::string& mode,
                          const std::string& pixels) {
      return valueText(column, littleEndian(width, 4) + littleEndian(height, 4) +
                                   littleEndian(mode.size(), 4) + mode + pixels);
    };
    QCOMPARE(says(2, 3, "L", "012345"), std::string("u8 3x2x1"));
    QCOMPARE(says(1, 1, "RGBA", "0123"), std::string("u8 1x1x4"));
    QCOMPARE(says(2, 3, "L", "01234"),
             std::string("5 bytes of pixels do not match 2 x 3 of mode L"));
    QCOMPARE(says(1, 1, "CMYK", "0123"),
             std::string("its pixels have PIL's mode CMYK; L, P, RGB and RGBA are supported"));
    QCOMPARE(says(0xffffffff, 0xffffffff, "RGB", "0").substr(0, 23),
             std::string("1 bytes of pixels do no"));
    const std::string cut = littleEndian(1, 4) + littleEndian(1, 4) + littleEndian(3, 4) + "RG";
    QCOMPARE(valueText(column, cut), std::string("14 bytes are too few for a pixel header"));
    QCOMPARE(valueText(column, "12345678901"),
             std::string("11 bytes are too few for a pixel header"));
  }

  void unsignedNumbersAreWidenedOrRefused() {
    std::string error;
    const MdsColumn narrow = columnOf("ndarray:uint32:2", 8);
    QCOMPARE(
        numbersOf<std::int64_t>(narrow, littleEndian(7, 4) + littleEndian(0xffffffff, 4), error),
        (std::vector<std::int64_t>{7, 0xffffffff}));
    QCOMPARE(error, std::string());
    const MdsColumn wide = columnOf("ndarray:uint64:2", 16);
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    QCOMPARE(numbersOf<std::int64_t>(wide, littleEndian(1, 8) + littleEndian(kMost, 8), error),
             (std::vector<std::int64_t>{1, std::numeric_limits<std::int64_t>::max()}));
    QCOMPARE(error, std::string());
    numbersOf<std::int64_t>(wide, littleEndian(1, 8) + littleEndian(kMost + 1, 8), error);
    QCOMPARE(error,
             std::string("9223372036854775808 exceeds the range of a 64-bit signed integer"));
    const MdsColumn sign = columnOf("ndarray:int64:1", 8);
    QCOMPARE(numbersOf<std::int64_t>(sign, littleEndian(~0ULL, 8), error),
             std::vector<std::int64_t>{-1});
  }

  void numbersAsTextAreReadWholeOrRefused() {
    std::string error;
    const MdsColumn whole = columnOf("str_int", 0);
    QCOMPARE(numbersOf<std::int64_t>(whole, "-12", error), std::vector<std::int64_t>{-12});
    const MdsColumn real = columnOf("str_float", 0);
    QCOMPARE(numbersOf<double>(real, "-1.5e3", error), std::vector<double>{-1500});
    QCOMPARE(error, std::string());
    for (const char* wrong : {"", "1.5", " 1", "1 ", "0x10", "9223372036854775808"}) {
      numbersOf<std::int64_t>(whole, wrong, error);
      QCOMPARE(error, "`" + std::string(wrong) + "` is not a number in the supported range");
    }
    numbersOf<double>(real, std::string(100, 'n'), error);
    QCOMPARE(error, "`" + std::string(40, 'n') + "` is not a number in the supported range");
  }
};

}  // namespace millrace

using millrace::TestMdsColumn;
MILLRACE_TEST_CASE(TestMdsColumn)
#include "tst_mds_column.moc"
