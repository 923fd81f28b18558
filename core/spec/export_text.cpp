// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/export_text.h"

#include <algorithm>

namespace millrace {

std::vector<std::string> ExportContext::names(const std::vector<std::size_t>& fields) const {
  std::vector<std::string> all;
  for (const std::size_t i : fields) all.push_back(in.fields[i].name);
  return all;
}

std::vector<std::string> ExportContext::only(const std::vector<std::size_t>& acted,
                                             std::initializer_list<Role> roles) const {
  for (std::size_t i = 0; i < in.fields.size(); ++i) {
    const bool wanted = std::find(roles.begin(), roles.end(), in.fields[i].role) != roles.end();
    const bool taken = std::find(acted.begin(), acted.end(), i) != acted.end();
    if (wanted && !taken) return names(acted);
  }
  return {};
}

bool ExportContext::sameSize(const std::vector<std::size_t>& fields) const {
  if (fields.size() < 2) return true;
  return dataKnown && std::all_of(fields.begin(), fields.end(),
                                  [&](std::size_t i) { return in.fields[i].scale == 1; });
}

}  // namespace millrace
