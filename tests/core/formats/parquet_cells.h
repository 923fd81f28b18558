// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/formats/parquet/parquet_reader.h"

namespace millrace::tests {

/// A cell as make_files.py writes it: bytes in hexadecimal, "null", "within", or the error.
inline std::string cellText(const Result<ParquetCell>& cell) {
  if (!cell) return "error: " + cell.error().message;
  if (cell->null) return "null";
  if (cell->nullWithin) return "within";
  std::string text;
  for (const std::byte byte : cell->bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(byte));
    text += digits;
  }
  return text;
}

/// The column's cells; if it cannot be read, the reason alone.
inline std::vector<std::string> cellsOf(ParquetFile& file, std::size_t column,
                                        ParquetReader& reader) {
  const ParquetColumn& described = file.footer().columns[column];
  if (!described.whyNot.empty()) return {described.whyNot};
  file.use(column);
  ReadCounters counters;
  std::vector<std::string> texts;
  for (std::uint32_t row = 0; row < file.rows(); ++row)
    texts.push_back(cellText(reader.read(0, {&file, 0, column}, row, counters)));
  return texts;
}

}  // namespace millrace::tests
