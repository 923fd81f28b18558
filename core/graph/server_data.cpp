// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/server_data.h"

#include <algorithm>
#include <string>
#include <variant>

#include "core/storage/remote_path.h"

namespace millrace {

bool readsFromServer(const CheckedNode& node) {
  return std::ranges::any_of(node.spec->params, [&](const ParamSpec& param) {
    if (!param.isData) return false;
    const Value& value = node.values.find(param.name)->second;
    if (const auto* path = std::get_if<std::string>(&value)) return isRemotePath(*path);
    const auto* paths = std::get_if<TextList>(&value);
    return paths != nullptr &&
           std::ranges::any_of(*paths, [](const std::string& path) { return isRemotePath(path); });
  });
}

}  // namespace millrace
