// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/mask_rules.h"

#include <fmt/format.h>

#include "core/formats/folder/mask_values.h"

namespace millrace {

namespace {

void checkLossy(const std::string& field, const MaskValues& values, const CheckedNode& source,
                Problems& problems) {
  if (values.lossy == 0) return;
  problems.warning(
      source.id, "",
      fmt::format("{}{}", values.lossyText(fmt::format("files of `{}`", field)),
                  values.areColours() ? "" : fmt::format(" (they hold {})", values.text())),
      "save masks as PNG");
}

void checkReadable(const std::string& field, const MaskValues& values, const CheckedNode& source,
                   Problems& problems) {
  if (values.refused == 0) return;
  problems.warning(
      source.id, "",
      fmt::format("{} of the {} files of `{}` examined cannot be read as class numbers: "
                  "{}",
                  values.refused, values.refused + values.masks, field, values.whyRefused),
      "number the classes from 0 to 254, and save masks with 8 bits");
}

/// The value of a parameter; nullopt if the node has none of this type.
template <class T>
std::optional<T> valueOf(const CheckedNode& node, std::string_view name) {
  const auto found = node.values.find(std::string(name));
  const T* value = found == node.values.end() ? nullptr : std::get_if<T>(&found->second);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

/// A node that converts indices to classes has these parameters.
void checkClasses(const FieldSpec& field, const MaskValues& values, const CheckedNode& node,
                  Problems& problems) {
  const auto ignored = valueOf<std::int64_t>(node, "ignore_index");
  const auto colours = valueOf<std::string>(node, "colours");
  if (!ignored || !colours || !colours->empty() || field.classes <= 0) return;
  if (valueOf<std::string>(node, "unknown") == "ignore") return;
  if (values.highest() >= field.classes && values.highest() != *ignored)
    problems.warning(node.id, "classes",
                     fmt::format("the masks examined hold the indices {}, but there are {} classes",
                                 values.text(), field.classes),
                     fmt::format("set classes to {} or more", values.highest() + 1));
  if (values.values.test(255) && field.classes < 256 && *ignored != 255)
    problems.warning(node.id, "ignore_index",
                     "the masks examined hold 255, which is not one of the classes",
                     "set ignore_index to 255 if such pixels have no class");
}

}  // namespace

void checkMasks(const std::vector<CheckedNode>& nodes, const Source& source, Problems& problems) {
  if (nodes.empty()) return;
  for (const auto& [name, values] : examineMasks(source, nodes.front().out.fields)) {
    checkLossy(name, values, nodes.front(), problems);
    checkReadable(name, values, nodes.front(), problems);
    if (values.areColours()) continue;
    for (const CheckedNode& node : nodes)
      if (const FieldSpec* field = node.out.field(name))
        checkClasses(*field, values, node, problems);
  }
}

}  // namespace millrace
