// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"

namespace millrace {

Format parquetFormat();
Format parquetFormat() {
  Format format;
  format.name = "parquet";
  format.title = "Parquet";
  format.example = "*.parquet";
  format.isFileName = [](std::string_view name) { return name.ends_with(".parquet"); };
  format.isHead = [](std::span<const std::byte> head) { return hasMagic(head, 0, "PAR1"); };
  return format;
}

}  // namespace millrace
