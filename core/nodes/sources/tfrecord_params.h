// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/node_parts/reading_params.h"
#include "core/spec/describe.h"

namespace millrace::nodes::tfrecord {

enum class Content : std::uint8_t { Auto, Examples, Bytes };

struct Params {
  TextList paths;
  Content content = Content::Auto;
  TextList keys;
  bool checkSums = true;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The field of records that are not parsed.
std::vector<FieldSpec> recordField();
/// How a label is stored if it is neither integers nor a quantity, as "texts"; otherwise empty.
std::string labelStoredAs(const Params& p, const std::filesystem::path& base);

/// The node's forms in other loaders' code.
void addExporters(Describe<Params>& d);

}  // namespace millrace::nodes::tfrecord
