// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/example_bytes.h"

#include "tests/support/test_case.h"

namespace millrace {

using namespace std::string_view_literals;

class TestExampleBytes : public QObject {
  Q_OBJECT
 private slots:
  // Expected bytes are worked out by hand from "Encoding" of protocol buffers.
  void oneRunOfBytesIsABytesList() {
    ExampleBytes example;
    example.addBytes("img", "ab");
    QVERIFY(example.finish() ==
            "\x0a\x0f"     // features
            "\x0a\x0d"     // an entry of the map
            "\x0a\x03img"  // key
            "\x12\x06"     // feature
            "\x0a\x04\x0a\x02"
            "ab"sv);
  }

  void aNumberIsAnInt64List() {
    ExampleBytes example;
    example.addNumber("n", 300);
    QVERIFY(example.finish() == "\x0a\x0d\x0a\x0b\x0a\x01n\x12\x06\x1a\x04\x0a\x02\xac\x02"sv);
  }

  void aNegativeNumberHasTenBytes() {
    ExampleBytes example;
    example.addNumber("n", -1);
    QVERIFY(example.finish().ends_with("\x0a\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv));
  }

  void lengthsAbove127TakeTwoBytes() {
    ExampleBytes example;
    const std::string value(200, 'v');
    example.addBytes("k", value);
    // 200 bytes + 3 of their head, + 3 of the list's, + 3 of the feature's, + 3 of the key.
    QVERIFY(example.finish().starts_with(
        "\x0a\xd7\x01\x0a\xd4\x01\x0a\x01k\x12\xce\x01\x0a\xcb\x01\x0a\xc8\x01vvv"sv));
  }

  void aClearedExampleIsEmpty() {
    ExampleBytes example;
    example.addBytes("a", "1");
    const std::string one(example.finish());
    example.addBytes("b", "2");
    QVERIFY(example.finish().size() > one.size());
    example.clear();
    QVERIFY(example.finish() == "\x0a\x00"sv);
    example.addBytes("a", "1");
    QVERIFY(example.finish() == one);
  }
};

}  // namespace millrace

using millrace::TestExampleBytes;
MILLRACE_TEST_CASE(TestExampleBytes)
#include "tst_example_bytes.moc"
