// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/onehot.h"

namespace millrace {

/// The classes of a colour mask, in the order of their file.
struct ColourClasses {
  std::vector<std::string> names;
  ColourTable table;
};

/// Parses lines `name,r,g,b`, `r g b name` or `name:r,g,b:...`, separated by commas, semicolons,
/// tabs or spaces. A first line without numbers is a header, and lines that start with # are
/// comments. Errors name the line.
Result<ColourClasses> parseColourClasses(std::string_view text);
Result<ColourClasses> readColourClasses(const std::filesystem::path& file);

}  // namespace millrace
