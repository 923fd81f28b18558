// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/size_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/data/object_fields.h"

namespace millrace {

namespace {

bool isDecodedPicture(const FieldSpec& field) {
  return isPicture(field.role) && field.layout != Layout::Plain;
}

/// Whether a later node, on the CPU or on a device, brings the samples of a batch to one size.
bool isEqualised(const FieldSpec& field, const std::vector<CheckedNode>& nodes) {
  const FieldSpec* const last = nodes.back().in.field(field.name);
  return last == nullptr || last->shape.known() || last->padded;
}

void reportSizes(const CheckedNode& batch, const FieldSpec& field, Problems& problems) {
  const bool picture = isDecodedPicture(field);
  if (picture && field.channels() == Shape::kUnknown) return;  // reported by the batch node
  problems.error(
      batch.id, "",
      fmt::format("{} of `{}` differ in size: {}", picture ? "pictures" : "samples", field.name,
                  field.shape.text()),
      fmt::format("{}pad them to the largest of a batch after the batch, or turn keep_sizes on for "
                  "a batch that is a list",
                  picture ? "add a resize or a crop before or after the batch, set pad_height and "
                            "pad_width, "
                          : "give them a fixed size before the batch, "));
}

/// Reports a node that works on single samples after they were padded.
void reportPadded(const CheckedNode& node, Problems& problems) {
  const NodeRole role = node.spec->role;
  if (role != NodeRole::Image && role != NodeRole::Sample) return;
  const auto padded = std::ranges::find(node.in.fields, true, &FieldSpec::padded);
  if (padded == node.in.fields.end()) return;
  problems.error(node.id, "",
                 fmt::format("works on single samples, but those of `{}` were padded to the "
                             "largest of their batch",
                             padded->name),
                 "move it before the padding");
}

}  // namespace

void checkSizes(const std::vector<CheckedNode>& nodes, Problems& problems) {
  for (const CheckedNode& node : nodes) reportPadded(node, problems);
  const auto batch = std::find_if(nodes.begin(), nodes.end(), [](const CheckedNode& node) {
    return node.spec->role == NodeRole::Batch;
  });
  if (batch == nodes.end() || batch->spec->batch(batch->values).keepSizes) return;
  const std::vector<FieldSpec>& fields = batch->out.fields;
  const std::vector<std::size_t> objects = perObjectFields(fields);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].dtype == DType::Encoded || fields[i].shape.known()) continue;
    if (std::ranges::binary_search(objects, i)) continue;
    if (&nodes.back() != &*batch && isEqualised(fields[i], nodes)) continue;
    reportSizes(*batch, fields[i], problems);
  }
}

}  // namespace millrace
