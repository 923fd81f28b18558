// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/size_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace millrace {

namespace {

bool isDecodedPicture(const FieldSpec& field) {
  return isPicture(field.role) && field.layout != Layout::Plain && field.dtype != DType::Encoded;
}

}  // namespace

void checkPictureSizes(const std::vector<CheckedNode>& nodes, Problems& problems) {
  const auto batch = std::find_if(nodes.begin(), nodes.end(), [](const CheckedNode& node) {
    return node.spec->role == NodeRole::Batch;
  });
  if (batch == nodes.end() || batch->spec->batch(batch->values).keepSizes) return;
  for (const FieldSpec& field : batch->out.fields) {
    if (!isDecodedPicture(field) || field.shape.known() || field.channels() == Shape::kUnknown)
      continue;
    const FieldSpec* const last = nodes.back().in.field(field.name);
    if (&nodes.back() != &*batch && (last == nullptr || last->shape.known())) continue;
    problems.error(
        batch->id, "",
        fmt::format("pictures of `{}` differ in size: {}", field.name, field.shape.text()),
        "add a resize or a crop before or after the batch, set pad_height and pad_width, or turn "
        "keep_sizes on for a batch that is a list");
  }
}

}  // namespace millrace
