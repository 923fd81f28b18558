// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/object_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/data/object_fields.h"

namespace millrace {

namespace {

/// The first field whose rows are bound to the pixels of the pictures; nullptr if there is none.
const FieldSpec* placedField(const StreamType& stream) {
  const auto found = std::ranges::find_if(stream.fields, [](const FieldSpec& field) {
    return field.role == Role::Boxes || field.role == Role::Keypoints;
  });
  return found == stream.fields.end() ? nullptr : &*found;
}

}  // namespace

void checkObjects(const std::vector<CheckedNode>& nodes, Problems& problems) {
  for (const CheckedNode& node : nodes) {
    const FieldSpec* placed = placedField(node.in);
    if (placed == nullptr) continue;
    if (placed->shape.known() && node.spec->category == Category::Geometry)
      problems.error(
          node.id, "",
          fmt::format("every picture has {} rows of `{}` here, and those that pad it are "
                      "not objects",
                      placed->shape[0], placed->name),
          "move it before the node that pads the objects");
    // What makes a new batch keeps all fields of its samples together.
    if (node.in.level != Level::Batch || node.spec->batchMap) continue;
    if (node.spec->role == NodeRole::BatchOp)
      problems.error(node.id, "",
                     fmt::format("it mixes pictures, but `{}` cannot be mixed", placed->name),
                     "remove it, or keep only the pictures and their labels with a select node");
    else if (node.spec->category == Category::Geometry)
      problems.error(
          node.id, "",
          fmt::format("in a batch it would not keep pictures and `{}` together", placed->name),
          "move it before the batch node");
  }
}

}  // namespace millrace
