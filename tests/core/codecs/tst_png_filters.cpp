// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Undoing PNG's filters: every vector level gives the bits of the code without vectors.
#include <random>
#include <vector>

#include "core/codecs/png/unfilter.h"
#include "tests/core/kernels/levels.h"
#include "tests/support/test_case.h"

namespace millrace {
using png::Filter;
using png::FilteredRow;

namespace {

enum class Noise { Strong, Weak, Rare };  // Rare: flat with some steps, like masks.

std::uint8_t drawn(Noise noise, std::mt19937& random) {
  const auto value = std::uint8_t(random());
  if (noise == Noise::Strong) return value;
  if (noise == Noise::Weak) return std::uint8_t(value % 3 - 1);
  return random() % 40 == 0 ? value : 0;
}

}  // namespace

class TestPngFilters : public QObject {
  Q_OBJECT
 private slots:
  void everyLevelUndoesEveryFilterLikeThePlainCode() {
    constexpr std::size_t kRows = 7;
    std::mt19937 random(1);
    for (const std::size_t pixelBytes : {1U, 2U, 3U, 4U})
      for (std::size_t pixels = 1; pixels <= 50; ++pixels)
        for (const Noise noise : {Noise::Strong, Noise::Weak, Noise::Rare}) {
          const std::size_t bytes = pixels * pixelBytes;
          std::vector<std::uint8_t> above(bytes);
          std::vector<std::uint8_t> filtered(kRows * bytes);
          for (std::uint8_t& byte : above)
            byte = noise == Noise::Rare ? 77 : std::uint8_t(random());
          for (std::uint8_t& byte : filtered) byte = drawn(noise, random);
          std::vector<FilteredRow> rows(kRows);
          for (FilteredRow& row : rows) row.filter = static_cast<Filter>(random() % 5);
          // In place and to other memory.
          const auto undone = [&](bool inPlace, auto undo) {
            std::vector<std::uint8_t> from = filtered;
            std::vector<std::uint8_t> to(from.size());
            for (std::size_t y = 0; y < kRows; ++y) {
              rows[y].from = &from[y * bytes];
              rows[y].to = inPlace ? &from[y * bytes] : &to[y * bytes];
            }
            undo(rows, above.data(), pixelBytes, bytes);
            return inPlace ? from : to;
          };
          const auto expected = undone(false, &png::plain::unfilter);
          for (const std::int64_t level : tests::vectorLevels()) {
            const tests::ForcedLevel forced(level);
            for (const bool inPlace : {false, true})
              QVERIFY2(undone(inPlace, &png::unfilter) == expected,
                       qPrintable(QString("%1, %2 pixels of %3 bytes")
                                      .arg(tests::levelName(level).c_str())
                                      .arg(pixels)
                                      .arg(pixelBytes)));
          }
        }
  }

  /// Rows of pixels that are `left`, then a zero: the unfiltered value is the predictor. All 256
  /// left bytes with the pairs of above and corner of 64 rows at a time.
  void everyLevelPredictsAsTheFormulaDoes() {
    for (int corner = 0; corner < 256; corner += corner < 8 || corner > 246 ? 1 : 7) {
      std::vector<std::uint8_t> filtered;
      std::vector<std::uint8_t> above;
      for (int up = 0; up < 256; up += up < 8 || up > 246 ? 1 : 5)
        for (int left = 0; left < 256; ++left) {
          // After a pixel that is 0 below one that is `corner`, whose predictor is `corner`.
          filtered.insert(filtered.end(), {std::uint8_t(left - corner), 0});
          above.insert(above.end(), {std::uint8_t(corner), std::uint8_t(up)});
        }
      const std::size_t pairs = filtered.size() / 2;
      const auto predicted = [&](auto undo) {
        std::vector<std::uint8_t> to(filtered.size());
        // Each pair is a row of two one-byte pixels; four side by side are pixels of four bytes.
        std::vector<std::uint8_t> from(filtered.size());
        std::vector<std::uint8_t> over(filtered.size());
        for (std::size_t i = 0; i < pairs; ++i)
          for (std::size_t k = 0; k < 2; ++k) {
            from[i / 4 * 8 + k * 4 + i % 4] = filtered[2 * i + k];
            over[i / 4 * 8 + k * 4 + i % 4] = above[2 * i + k];
          }
        for (std::size_t i = 0; i + 8 <= from.size(); i += 8) {
          const FilteredRow row{Filter::Paeth, &from[i], &to[i]};
          undo(std::span(&row, 1), &over[i], 4, 8);
        }
        return to;
      };
      const auto expected = predicted(&png::plain::unfilter);
      for (const std::int64_t level : tests::vectorLevels()) {
        const tests::ForcedLevel forced(level);
        QVERIFY2(predicted(&png::unfilter) == expected, tests::levelName(level).c_str());
      }
    }
  }
};

}  // namespace millrace

using millrace::TestPngFilters;
MILLRACE_TEST_CASE(TestPngFilters)
#include "tst_png_filters.moc"
