// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>

namespace millrace {

struct FoundColourTable {
  std::filesystem::path file;
  std::size_t classes = 0;
  bool complete = false;  ///< every colour has a class
};

/// The text file in the folder of the masks or the two folders above it that gives a class to most
/// of `colours` (0xRRGGBB), such as classes.csv, label_colors.txt and labelmap.txt.
std::optional<FoundColourTable> findColourTable(const std::filesystem::path& masks,
                                                const std::set<std::uint32_t>& colours);

}  // namespace millrace
