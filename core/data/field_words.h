// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/data/stream_type.h"

namespace millrace {

std::optional<Role> roleNamed(std::string_view name);

/// What a person writes about a field, word by word in any order: an element type (`u8`, `f32`,
/// `encoded`, ...), a shape (`8x8x24`, `194`, `?`, `scalar`), a role, `hwc` or `chw`. Absent where
/// nothing was said.
struct FieldWords {
  std::optional<DType> dtype;
  std::optional<Shape> shape;
  std::optional<Role> role;
  std::optional<Layout> layout;

  /// False, and nothing taken, where it is none of them. Shapes have at most 2^28 elements.
  bool take(std::string_view word);
};

/// The shape with the one size that it leaves open filled in, so that it has `elements` elements;
/// nothing where that cannot be.
std::optional<Shape> fitted(Shape shape, std::size_t elements);

/// Whether a field may be called that: small letters, digits and _, a letter first. Names reach
/// file names and code.
bool isFieldName(std::string_view name);

}  // namespace millrace
