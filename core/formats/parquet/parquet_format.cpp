// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/format.h"
#include "core/formats/parquet/parquet_footer.h"

namespace millrace {

namespace {

/// " A file has 500 rows and 3 columns in 5 row groups, compressed with snappy."
std::string aboutParquet(const std::filesystem::path& path) {
  const auto file = openForReading(path);
  if (!file) return {};
  const auto footer = readParquetFooter(*file);
  if (!footer)
    return fmt::format(" `{}`: {}.", visibleName(path.filename().native()), footer.error().message);
  std::set<std::string> codecs;
  for (const ParquetGroup& group : footer->groups)
    for (const ParquetChunk& chunk : group.chunks) codecs.emplace(nameOf(chunk.codec));
  return fmt::format(" `{}` has {} and {} in {}: {}.", visibleName(path.filename().native()),
                     counted(footer->rows, "row"), counted(footer->columns.size(), "column"),
                     counted(footer->groups.size(), "row group"),
                     join(std::vector(codecs.begin(), codecs.end()), ", "));
}

}  // namespace

Format parquetFormat();
Format parquetFormat() {
  Format format;
  format.name = "parquet";
  format.title = "Parquet";
  format.example = "*.parquet";
  format.isFileName = [](std::string_view name) { return name.ends_with(".parquet"); };
  format.isHead = [](std::span<const std::byte> head) { return hasMagic(head, 0, "PAR1"); };
  format.about = &aboutParquet;
  return format;
}

}  // namespace millrace
