// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/loose_names.h"

#include <system_error>

#include "core/base/text/folded_name.h"
#include "core/base/text/text.h"

namespace millrace {

namespace fs = std::filesystem;

const LooseNames::Names& LooseNames::namesIn(const std::string& folder) {
  const auto [place, isNew] = m_folders.try_emplace(folder);
  if (!isNew) return place->second;
  std::error_code error;
  for (fs::directory_iterator entry(m_root / folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    const auto [known, first] = place->second.emplace(looseName(name), name);
    if (!first) known->second.clear();
  }
  return place->second;
}

std::string LooseNames::pathOf(std::string_view path) {
  std::error_code ignored;
  if (fs::exists(m_root / path, ignored)) return std::string(path);
  std::string folder;
  for (const std::string& part : split(path, '/')) {
    std::string name = part;
    if (!fs::exists(m_root / folder / part, ignored)) {
      const Names& names = namesIn(folder);
      const auto found = names.find(looseName(part));
      if (found == names.end() || found->second.empty()) return std::string(path);
      name = found->second;
    }
    if (!folder.empty()) folder += '/';
    folder += name;
  }
  return folder;
}

}  // namespace millrace
