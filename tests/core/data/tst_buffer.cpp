// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Gives one piece of memory at a time, of at most 256 bytes, and counts.
class OnePiece : public BufferSource {
 public:
  std::byte* take(std::size_t bytes) override {
    if (lent || bytes > sizeof m_memory) return nullptr;
    lent = true;
    return m_memory;
  }
  void give(std::byte* data) override {
    QVERIFY(data == m_memory);
    lent = false;
    ++given;
  }
  bool lent = false;
  int given = 0;

 private:
  alignas(Buffer::kAlignment) std::byte m_memory[256]{};
};

}  // namespace

class TestBuffer : public QObject {
  Q_OBJECT
 private slots:
  void memoryIsAlignedAndMayBeReadPastItsEnd() {
    for (const std::size_t bytes : {1, 63, 64, 1000, 3 << 20}) {
      Buffer buffer;
      std::byte* const data = buffer.reserve(bytes);
      QCOMPARE(reinterpret_cast<std::uintptr_t>(data) % Buffer::kAlignment, std::uintptr_t{0});
      QVERIFY(buffer.capacity() >= bytes);
      const std::byte* const end = data + buffer.capacity();
      QVERIFY(
          std::all_of(end, end + Buffer::kPadding, [](std::byte b) { return b == std::byte{0}; }));
    }
  }

  void askingForNoMoreKeepsTheMemory() {
    Buffer buffer;
    std::byte* const data = buffer.reserve(100);
    data[99] = std::byte{7};
    QCOMPARE(buffer.reserve(100), data);
    QCOMPARE(buffer.reserve(1), data);
    QCOMPARE(buffer.capacity(), std::size_t{100});
    QCOMPARE(buffer.data()[99], std::byte{7});
  }

  void aLittleMoreMakesRoomForHalfAsMuchAgain() {
    Buffer buffer;
    buffer.reserve(100);
    buffer.reserve(101);
    QCOMPARE(buffer.capacity(), std::size_t{150});
    buffer.reserve(1000);
    QCOMPARE(buffer.capacity(), std::size_t{1000});
  }

  void growingKeepsTheFirstBytes() {
    Buffer buffer;
    std::memcpy(buffer.reserve(4), "abcd", 4);
    std::byte* const data = buffer.grow(5000, 3);
    QVERIFY(std::memcmp(data, "abc", 3) == 0);
    QCOMPARE(buffer.data(), data);
  }

  void anEmptyBufferHasNoMemory() {
    const Buffer buffer;
    QVERIFY(buffer.data() == nullptr);
    QCOMPARE(buffer.capacity(), std::size_t{0});
    QVERIFY(!buffer.fromSource());
  }

  void evenNoBytesAreSomewhere() {
    Buffer buffer;
    QVERIFY(buffer.reserve(0) != nullptr);
  }

  void memoryComesFromTheSourceAndGoesBack() {
    const auto source = std::make_shared<OnePiece>();
    {
      Buffer buffer(source);
      buffer.reserve(100);
      QVERIFY(buffer.fromSource());
      QVERIFY(source->lent);
    }
    QCOMPARE(source->given, 1);
    QVERIFY(!source->lent);
  }

  void withoutRoomInTheSourceTheHeapServes() {
    const auto source = std::make_shared<OnePiece>();
    Buffer first(source);
    first.reserve(100);
    Buffer second(source);
    std::memcpy(second.reserve(3), "abc", 3);
    QVERIFY(!second.fromSource());
    // Too large for the source: what it lent goes back once the bytes are copied.
    std::memcpy(first.data(), "xyz", 3);
    QVERIFY(std::memcmp(first.grow(1000, 3), "xyz", 3) == 0);
    QVERIFY(!first.fromSource());
    QCOMPARE(source->given, 1);
  }
};

}  // namespace millrace

using millrace::TestBuffer;
MILLRACE_TEST_CASE(TestBuffer)
#include "tst_buffer.moc"
