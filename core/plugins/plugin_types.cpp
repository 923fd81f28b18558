// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_types.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/field_text.h"

namespace millrace {

namespace {

// The numbers of the installed header are those of the engine.
static_assert(static_cast<int>(DType::U8) == MILLRACE_NODE_U8 &&
              static_cast<int>(DType::I8) == MILLRACE_NODE_I8 &&
              static_cast<int>(DType::U16) == MILLRACE_NODE_U16 &&
              static_cast<int>(DType::I16) == MILLRACE_NODE_I16 &&
              static_cast<int>(DType::I32) == MILLRACE_NODE_I32 &&
              static_cast<int>(DType::I64) == MILLRACE_NODE_I64 &&
              static_cast<int>(DType::F16) == MILLRACE_NODE_F16 &&
              static_cast<int>(DType::BF16) == MILLRACE_NODE_BF16 &&
              static_cast<int>(DType::F32) == MILLRACE_NODE_F32 &&
              static_cast<int>(DType::F64) == MILLRACE_NODE_F64 &&
              static_cast<int>(DType::Encoded) == MILLRACE_NODE_ENCODED);
static_assert(static_cast<int>(Role::Image) == MILLRACE_NODE_IMAGE &&
              static_cast<int>(Role::Target) == MILLRACE_NODE_TARGET &&
              static_cast<int>(Role::Mask) == MILLRACE_NODE_MASK &&
              static_cast<int>(Role::Label) == MILLRACE_NODE_LABEL &&
              static_cast<int>(Role::Features) == MILLRACE_NODE_FEATURES);
static_assert(static_cast<int>(Layout::Plain) == MILLRACE_NODE_PLAIN &&
              static_cast<int>(Layout::Hwc) == MILLRACE_NODE_HWC &&
              static_cast<int>(Layout::Chw) == MILLRACE_NODE_CHW);
static_assert(Shape::kUnknown == MILLRACE_NODE_ANY_SIZE);
static_assert(Shape::kMaxRank == MILLRACE_NODE_MAX_DIMS);

constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

bool within(std::int32_t number, int last) { return number >= 0 && number <= last; }

}  // namespace

std::string_view nameIn(const millrace_node_type& type) {
  return {type.name, ::strnlen(type.name, sizeof(type.name))};
}

bool isPossible(const millrace_node_type& type) {
  if (!within(type.ndim, MILLRACE_NODE_MAX_DIMS)) return false;
  std::int64_t elements = 1;
  for (std::int32_t i = 0; i < type.ndim; ++i) {
    const std::int64_t size = type.shape[i];
    if (size == MILLRACE_NODE_ANY_SIZE) continue;
    if (size < 0 || size > kMostElements) return false;
    elements *= size;
    if (elements > kMostElements) return false;
  }
  return true;
}

bool isShape(const millrace_node_type& type, const Shape& shape) {
  return static_cast<std::size_t>(type.ndim) == shape.rank() &&
         std::equal(shape.begin(), shape.end(), type.shape);
}

Shape shapeIn(const millrace_node_type& type) {
  Shape shape;
  for (std::int32_t i = 0; i < type.ndim; ++i) shape.append(type.shape[i]);
  return shape;
}

void setShape(millrace_node_type& type, const Shape& shape) {
  type.ndim = static_cast<std::int32_t>(shape.rank());
  std::copy(shape.begin(), shape.end(), type.shape);
}

Result<millrace_node_type> pluginType(const FieldSpec& field) {
  millrace_node_type type{};
  if (field.name.size() >= sizeof(type.name))
    return Error{fmt::format("the name of the field `{}` is too long: {} bytes, and {} at most",
                             field.name, field.name.size(), sizeof(type.name) - 1)};
  field.name.copy(type.name, sizeof(type.name) - 1);
  type.dtype = static_cast<std::int32_t>(field.dtype);
  type.role = static_cast<std::int32_t>(field.role);
  type.layout = static_cast<std::int32_t>(field.layout);
  type.classes = field.classes;
  setShape(type, field.shape);
  return type;
}

Result<FieldSpec> fieldOf(const millrace_node_type& type, const FieldSpec* before) {
  const std::string name(nameIn(type));
  const auto wrong = [&](std::string_view what) {
    return Error{fmt::format("the plug-in says that `{}` has {}", validUtf8(name), what)};
  };
  if (!isFieldName(name) || name.size() >= sizeof(type.name))
    return Error{fmt::format("the plug-in names a field `{}`, which is not a name of a field",
                             singleLine(name))};
  if (!within(type.dtype, MILLRACE_NODE_ENCODED)) return wrong("an unknown element type");
  if (!within(type.role, MILLRACE_NODE_FEATURES)) return wrong("an unknown role");
  if (!within(type.layout, MILLRACE_NODE_CHW)) return wrong("an unknown layout");
  if (!isPossible(type)) return wrong("an impossible shape");
  FieldSpec field = before == nullptr ? FieldSpec{} : *before;
  field.name = name;
  field.dtype = static_cast<DType>(type.dtype);
  field.role = static_cast<Role>(type.role);
  field.shape = field.dtype == DType::Encoded ? Shape{Shape::kUnknown} : shapeIn(type);
  field.layout = static_cast<Layout>(type.layout);
  if (!isPicture(field.role) || field.shape.rank() != 3)
    field.layout = Layout::Plain;
  else if (field.layout == Layout::Plain)
    field.layout = Layout::Hwc;
  if (type.classes < 0) return wrong("fewer than 0 classes");
  if (field.classes != type.classes) field.oneHot = false;
  field.classes = type.classes;
  return field;
}

}  // namespace millrace
