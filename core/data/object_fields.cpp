// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/object_fields.h"

#include <algorithm>

namespace millrace {

namespace {

bool isPlaced(const FieldSpec& field) {
  return field.role == Role::Boxes || field.role == Role::Keypoints;
}

/// Among objects, a list of classes is the classes of the objects.
bool isPerObject(const FieldSpec& field) {
  const bool isList = field.role == Role::Label && field.dtype == DType::I64 &&
                      field.shape.rank() == 1 && !field.oneHot;
  return isPlaced(field) || field.role == Role::Objects || isList;
}

}  // namespace

const FieldSpec* boxesOf(const std::vector<FieldSpec>& fields) {
  const auto found = std::ranges::find(fields, Role::Boxes, &FieldSpec::role);
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::size_t> perObjectFields(const std::vector<FieldSpec>& fields) {
  std::vector<std::size_t> found;
  if (std::ranges::none_of(fields, isPlaced)) return found;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (isPerObject(fields[i])) found.push_back(i);
  return found;
}

}  // namespace millrace
