// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/lzf_stream.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/support/lzf_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::lzfPacked;

/// The decompressed stream, or the error. "overrun": bytes were written after the end of `to`.
std::string lzfUnpacked(const std::string& packed, std::size_t room) {
  constexpr std::size_t kBehind = 300;
  constexpr std::byte kUntouched{0xa5};
  std::vector<std::byte> to(room + kBehind, kUntouched);
  const auto made = unpackLzf(std::as_bytes(std::span(packed)), std::span(to).first(room));
  if (std::any_of(to.begin() + static_cast<std::ptrdiff_t>(room), to.end(),
                  [](std::byte b) { return b != kUntouched; }))
    return "overrun";
  if (!made) return "error: " + made.error().message;
  return {reinterpret_cast<const char*>(to.data()), *made};
}

/// Numbers that do not repeat within reach of a reference.
std::string noise(std::size_t bytes) {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < bytes) {
    state = state * 1664525U + 1013904223U;
    text += static_cast<char>(state >> 24U);
  }
  return text;
}

}  // namespace

class TestLzfStream : public QObject {
  Q_OBJECT
 private slots:
  void tokensMakeWhatTheFormatSays() {
    using namespace std::string_literals;
    QCOMPARE(lzfUnpacked("", 4), ""s);
    QCOMPARE(lzfUnpacked("\x02xyz", 4), "xyz"s);
    QCOMPARE(lzfUnpacked("\x00x\x20\x00"s, 4), "xxxx"s);
    QCOMPARE(lzfUnpacked("\x02xyz\xc0\x02"s, 20), "xyzxyzxyzxy"s);
    QCOMPARE(lzfUnpacked("\x02xyz\xe0\x00\x02\x00!"s, 20), "xyzxyzxyzxyz!"s);
    std::string far;
    for (int i = 0; i < 10; ++i) far += '\x1f' + std::string(32, static_cast<char>('a' + i));
    // 256, 31 and 1 bytes back, within the run of b; 258, at its end.
    QCOMPARE(lzfUnpacked(far + "\x21\x1f"s, 400).substr(320), "bbb"s);
    QCOMPARE(lzfUnpacked(far + "\x21\x01"s, 400).substr(320), "bbc"s);
  }

  void whatWasPackedComesBack() {
    const std::string random = noise(8300);
    std::string stripes;
    for (int i = 0; i < 3000; ++i) stripes += static_cast<char>(i / 7);
    // The farthest and the longest reference, and one byte more.
    for (const std::string& text :
         {std::string("x"), std::string(32, 'x'), std::string(265, 'x'), std::string(266, 'x'),
          random.substr(0, 32), random.substr(0, 33), random + random.substr(108, 40), stripes}) {
      const std::string packed = lzfPacked(text);
      QVERIFY(lzfUnpacked(packed, text.size()) == text);
      QVERIFY(lzfUnpacked(packed, text.size() + 7) == text);
      QVERIFY(
          lzfUnpacked(packed, text.size() - 1).starts_with("error: its LZF stream contains more"));
    }
    QVERIFY(lzfPacked(stripes).size() < stripes.size());
  }

  void damageIsASentence() {
    using namespace std::string_literals;
    QCOMPARE(lzfUnpacked("\x02xy", 9), "error: its LZF stream is truncated at byte 3"s);
    QCOMPARE(lzfUnpacked("\x02xyz\x20"s, 9), "error: its LZF stream is truncated at byte 5"s);
    QCOMPARE(lzfUnpacked("\x02xyz\xe0\x00"s, 20), "error: its LZF stream is truncated at byte 6"s);
    QCOMPARE(lzfUnpacked("\x02xyz\x20\x03"s, 9),
             "error: its LZF stream is damaged at byte 4: it refers 4 bytes back, but only 3 are "
             "decompressed"s);
    QCOMPARE(lzfUnpacked("\x20\x00"s, 9),
             "error: its LZF stream is damaged at byte 0: it refers 1 bytes back, but only 0 are "
             "decompressed"s);
    QCOMPARE(lzfUnpacked("\x02xyz", 2), "error: its LZF stream contains more than 2 bytes"s);
  }

  void noDamageLeavesItsRoom() {
    std::string text = noise(70);
    for (int i = 0; i < 400; ++i) text += static_cast<char>(i / 9);
    const std::string packed = lzfPacked(text);
    for (std::size_t cut = 0; cut < packed.size(); ++cut) {
      const std::string found = lzfUnpacked(packed.substr(0, cut), text.size());
      QVERIFY(found.starts_with("error: its LZF stream is truncated") || text.starts_with(found));
    }
    for (std::size_t at = 0; at < packed.size(); ++at)
      for (unsigned bit = 0; bit < 8; ++bit) {
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ (1U << bit));
        QVERIFY(lzfUnpacked(damaged, text.size()) != "overrun");
      }
  }
};

}  // namespace millrace

using millrace::TestLzfStream;
MILLRACE_TEST_CASE(TestLzfStream)
#include "tst_lzf_stream.moc"
