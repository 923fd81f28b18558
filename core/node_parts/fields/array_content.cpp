// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/array_content.h"

#include "core/node_parts/fields/array_fields.h"

namespace millrace::nodes {

Layout layoutFor(const Shape& row, ArrayContent content) {
  if (content == ArrayContent::Features || row.rank() != 3) return Layout::Plain;
  if (content == ArrayContent::ImageHwc) return Layout::Hwc;
  if (content == ArrayContent::ImageChw) return Layout::Chw;
  return pictureLayoutOf(row);
}

std::string contentName(ArrayContent content) {
  switch (content) {
    case ArrayContent::Auto: return "auto";
    case ArrayContent::ImageHwc: return "image_hwc";
    case ArrayContent::ImageChw: return "image_chw";
    case ArrayContent::Features: break;
  }
  return "features";
}

std::string contentArgument(ArrayContent content) {
  return content == ArrayContent::Auto ? "" : ", content=\"" + contentName(content) + "\"";
}

std::vector<FieldSpec> expectedFields(ArrayContent content) {
  constexpr std::int64_t kAny = Shape::kUnknown;
  const FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label};
  if (content == ArrayContent::Features)
    return {{"features", DType::F32, {kAny}, Layout::Plain, Role::Features}, label};
  const Layout layout = content == ArrayContent::ImageChw ? Layout::Chw : Layout::Hwc;
  return {{"image", DType::U8, {kAny, kAny, kAny}, layout, Role::Image}, label};
}

}  // namespace millrace::nodes
