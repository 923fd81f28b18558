// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/check.h"
#include "core/formats/folder/csv.h"
#include "core/formats/folder/manifest_table.h"

namespace {

using millrace::CsvReader;

/// Line numbers only increase, and nothing exceeds its bound.
void readRows(std::string_view text) {
  CsvReader csv(text);
  std::size_t line = 0;
  for (auto row = csv.next(); row != CsvReader::Row::End; row = csv.next()) {
    MILLRACE_CHECK(csv.line() > line, "each row begins on a later line");
    line = csv.line();
    MILLRACE_CHECK(csv.cells().size() <= CsvReader::kMostCells, "cells are bounded");
    for (const std::string_view cell : csv.cells())
      MILLRACE_CHECK(cell.size() <= CsvReader::kLargestCell, "a cell is bounded");
  }
}

void readTable(std::string_view text, const std::vector<std::string>& labels) {
  millrace::ManifestColumns columns;
  columns.paths = {"image"};
  columns.labels = labels;
  const auto table = millrace::ManifestTable::parse(text, columns);
  if (!table) return;
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    bytes += std::strlen(table->path(row, 0));
    MILLRACE_CHECK(table->label(row) < table->labelTexts().size(), "each label has a text");
  }
  MILLRACE_CHECK(bytes <= text.size(), "paths are parts of the text");
  (void)table->problems();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  readRows(text);
  readTable(text, {"label"});
  readTable(text, {"label", "image"});
  return 0;
}
