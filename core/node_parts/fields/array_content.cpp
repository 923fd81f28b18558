// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/array_content.h"

#include "core/node_parts/fields/array_fields.h"

namespace millrace::nodes {

namespace {

bool isGreyPicture(const Shape& row, DType dtype, ArrayContent content) {
  if (row.rank() != 2) return false;
  if (content == ArrayContent::ImageGrey) return true;
  constexpr std::int64_t kLeastSide = 8;
  return (dtype == DType::U8 || dtype == DType::U16) && row[0] >= kLeastSide &&
         row[1] >= kLeastSide;
}

}  // namespace

SampleForm formOf(const Shape& row, DType dtype, ArrayContent content) {
  if (content == ArrayContent::Features) return {Layout::Plain, row};
  if (isGreyPicture(row, dtype, content)) return {Layout::Hwc, {row[0], row[1], 1}};
  if (row.rank() != 3) return {Layout::Plain, row};
  if (content == ArrayContent::ImageHwc) return {Layout::Hwc, row};
  if (content == ArrayContent::ImageChw) return {Layout::Chw, row};
  return {pictureLayoutOf(row), row};
}

std::string contentName(ArrayContent content) {
  switch (content) {
    case ArrayContent::Auto: return "auto";
    case ArrayContent::ImageHwc: return "image_hwc";
    case ArrayContent::ImageChw: return "image_chw";
    case ArrayContent::ImageGrey: return "image_grey";
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
  const std::int64_t channels = content == ArrayContent::ImageGrey ? 1 : kAny;
  return {{"image", DType::U8, {kAny, kAny, channels}, layout, Role::Image}, label};
}

}  // namespace millrace::nodes
