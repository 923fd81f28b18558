// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/json/graph_file.h"

#include <string_view>

#include "core/base/whole_file.h"

namespace millrace {

Status maySaveGraph(const std::filesystem::path& file) {
  return mayReplaceKind(file, "a pipeline", [](std::string_view head) {
    return head.find("\"format_version\"") != std::string_view::npos ||
           head.find("\"nodes\"") != std::string_view::npos;
  });
}

}  // namespace millrace
