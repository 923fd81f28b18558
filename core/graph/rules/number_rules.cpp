// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/number_rules.h"

#include <algorithm>
#include <string>

namespace millrace {

namespace {

bool hasDefault(const CheckedNode& node, const std::string& param) {
  const Values defaults = node.spec->defaults();
  const auto wanted = defaults.find(param);
  const auto found = node.values.find(param);
  return wanted != defaults.end() && found != node.values.end() && wanted->second == found->second;
}

}  // namespace

void checkNumbers(const std::vector<CheckedNode>& nodes, Problems& problems) {
  const auto decode = std::ranges::find_if(nodes, [](const CheckedNode& node) {
    const auto form = node.values.find("form");
    return node.spec->category == Category::Decode && form != node.values.end() &&
           form->second == Value{std::string("stored")};
  });
  if (decode == nodes.end()) return;
  for (auto node = decode + 1; node != nodes.end(); ++node)
    if (node->spec->param("deviation") != nullptr && hasDefault(*node, "mean"))
      problems.warning(node->id, "mean",
                       "these figures are those of photos whose white is 1, but " + decode->id +
                           " keeps the numbers of the files, such as 0 to 65535",
                       "set mean and deviation to those of the numbers, or bypass the node");
}

}  // namespace millrace
