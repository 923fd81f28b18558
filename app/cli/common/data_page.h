// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/stream_type.h"

namespace millrace::cli {

// Shared by the pages about data, those of `inspect` and `convert`.

/// The column where a row's text begins.
inline constexpr std::size_t kDataIndent = 12;

/// "  name      text".
std::string dataRow(std::string_view name, std::string_view text);
/// "image uint8 [h, w, 3] (image); label int64 [] (label)".
std::string fieldsText(const std::vector<FieldSpec>& fields);

}  // namespace millrace::cli
