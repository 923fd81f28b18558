// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/colour_tables.h"

#include <algorithm>

#include "core/base/text/text.h"
#include "core/inspect/folder_probe.h"
#include "core/node_parts/colour_csv.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFilesTried = 32;
constexpr std::size_t kNamesSeen = 2000;

bool mayBeTable(const std::string& name) {
  const std::string low = lowerCase(name);
  return low.ends_with(".csv") || low.ends_with(".txt") || low.ends_with(".tsv");
}

/// How many of the colours have a class.
std::size_t known(const ColourTable& table, const std::set<std::uint32_t>& colours) {
  return static_cast<std::size_t>(std::ranges::count_if(colours, [&](std::uint32_t colour) {
    return table.classOf({static_cast<std::uint8_t>(colour >> 16U),
                          static_cast<std::uint8_t>(colour >> 8U),
                          static_cast<std::uint8_t>(colour)}) >= 0;
  }));
}

}  // namespace

std::optional<FoundColourTable> findColourTable(const fs::path& masks,
                                                const std::set<std::uint32_t>& colours) {
  const fs::path above = masks.parent_path();
  std::optional<FoundColourTable> best;
  std::size_t most = 0;
  std::size_t tried = 0;
  for (const fs::path& folder : {masks, above, above.parent_path()}) {
    const auto seen = probeFolder(folder, kNamesSeen);
    if (!seen) continue;
    for (const std::string& name : seen->files) {
      if (!mayBeTable(name) || tried++ >= kFilesTried) continue;
      const auto classes = readColourClasses(folder / name);
      if (!classes || classes->names.empty()) continue;
      const std::size_t here = known(classes->table, colours);
      if (here <= most || 2 * here < colours.size()) continue;
      most = here;
      best = {folder / name, classes->names.size(), here == colours.size()};
    }
  }
  return best;
}

}  // namespace millrace
