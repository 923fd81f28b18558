// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/formats/folder/csv.h"
#include "core/formats/folder/label_lists.h"
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

/// Every label is a part of its cell, without the list around it.
void readLabels(std::string_view cell, char separator) {
  std::size_t bytes = 0;
  for (const std::string& label : millrace::labelsIn(cell, separator)) {
    MILLRACE_CHECK(!label.empty() && cell.find(label) != cell.npos,
                   "a label is a part of the cell");
    bytes += label.size();
  }
  MILLRACE_CHECK(bytes <= cell.size(), "labels do not overlap");
}

/// The lines as cells with several labels each.
void readCells(std::string_view text) {
  std::vector<std::string> cells;
  while (!text.empty() && cells.size() < 200) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    cells.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const char found = millrace::findLabelSeparator(cells);
  MILLRACE_CHECK(!millrace::separatorText(found).empty(), "it has a name");
  std::string separators(millrace::kLabelSeparators);
  separators += {millrace::kBrackets, millrace::kNoSeparator, found};
  for (const std::string& cell : cells) {
    for (const char separator : separators) readLabels(cell, separator);
    if (const auto number = millrace::classNumber(cell))
      MILLRACE_CHECK(*number >= 0 && *number < millrace::kMostIntegerClasses, "it is in range");
  }
}

void readTable(std::string_view text, const std::vector<std::string>& labels, char separator = 0) {
  millrace::ManifestColumns columns;
  columns.paths = {"image"};
  columns.labels = labels;
  columns.multiLabel = separator != 0;
  columns.form.labelSeparator = separator;
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
  readTable(text, {"label"}, ' ');
  readTable(text, {"label"}, millrace::kBrackets);
  readTable(text, {"label", "image"}, '|');
  readCells(text);
  return 0;
}
