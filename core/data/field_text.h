// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/data/stream_type.h"

namespace millrace {

std::optional<Role> roleNamed(std::string_view name);

/// What a user writes about a field, as words in any order: an element type (`u8`, `f32`,
/// `encoded`, ...), a shape (`8x8x24`, `194`, `?`, `scalar`), a role, `hwc` or `chw`. nullopt: not
/// given.
struct FieldDescription {
  std::optional<DType> dtype;
  std::optional<Shape> shape;
  std::optional<Role> role;
  std::optional<Layout> layout;

  /// Parses one word. Returns false and changes nothing if it is something else. Shapes may have at
  /// most 2^28 elements.
  bool take(std::string_view word);
};

/// The shape with its one unknown size filled in so that it has `elements` elements, or nullopt if
/// that is impossible.
std::optional<Shape> fitted(Shape shape, std::size_t elements);

/// Whether `name` is a valid field name: lower-case letters, digits and _, starting with a letter.
/// Field names become parts of file names and of exported code.
bool isFieldName(std::string_view name);

}  // namespace millrace
