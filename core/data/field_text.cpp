// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/field_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::array kRoles = {Role::Image,    Role::Target, Role::Mask,      Role::Label,
                               Role::Features, Role::Boxes,  Role::Keypoints, Role::Objects};

std::optional<Shape> shapeNamed(std::string_view text) {
  Shape shape;
  if (text == "scalar") return shape;
  for (const std::string& part : split(text, 'x')) {
    std::int64_t size = Shape::kUnknown;
    if (part != "?") {
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), size);
      if (error != std::errc() || end != part.data() + part.size() || size < 1 || size > 1 << 28)
        return std::nullopt;
    }
    if (shape.rank() == Shape::kMaxRank) return std::nullopt;
    shape.append(size);
  }
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    elements *= std::max<std::int64_t>(size, 1);
    if (elements > 1 << 28) return std::nullopt;
  }
  return shape;
}

}  // namespace

std::optional<Role> roleNamed(std::string_view name) {
  for (const Role role : kRoles)
    if (nameOf(role) == name) return role;
  return std::nullopt;
}

bool FieldDescription::take(std::string_view word) {
  if (word == "hwc" || word == "chw") {
    layout = word == "hwc" ? Layout::Hwc : Layout::Chw;
    return true;
  }
  if (const auto type = dtypeNamed(word)) return dtype = type, true;
  if (const auto named = roleNamed(word)) return role = named, true;
  if (const auto sizes = shapeNamed(word)) return shape = sizes, true;
  return false;
}

std::optional<Shape> fitted(Shape shape, std::size_t elements) {
  std::int64_t known = 1;
  std::size_t open = shape.rank();
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] != Shape::kUnknown) {
      known *= shape[i];
    } else {
      if (open != shape.rank()) return std::nullopt;
      open = i;
    }
  }
  const auto count = static_cast<std::int64_t>(elements);
  if (open == shape.rank()) return known == count ? std::optional(shape) : std::nullopt;
  if (known == 0 || count % known != 0) return std::nullopt;
  shape[open] = count / known;
  return shape;
}

bool isFieldName(std::string_view name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace millrace
