// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/stream_type.h"

#include <fmt/format.h>

namespace millrace {

std::string_view nameOf(Layout layout) {
  switch (layout) {
    case Layout::Plain: return "plain";
    case Layout::Hwc: return "hwc";
    case Layout::Chw: return "chw";
  }
  return "?";
}

std::string_view nameOf(Role role) {
  switch (role) {
    case Role::Image: return "image";
    case Role::Target: return "target";
    case Role::Mask: return "mask";
    case Role::Label: return "label";
    case Role::Features: return "features";
    case Role::Boxes: return "boxes";
    case Role::Keypoints: return "keypoints";
    case Role::Objects: return "objects";
  }
  return "?";
}

std::string_view nameOf(Level level) { return level == Level::Sample ? "sample" : "batch"; }

std::string_view nameOf(Place place) {
  switch (place) {
    case Place::Host: return "host";
    case Place::Pinned: return "pinned";
    case Place::Device: return "device";
  }
  return "?";
}

bool isPicture(Role role) {
  return role == Role::Image || role == Role::Target || role == Role::Mask;
}

namespace {

std::int64_t dimension(const FieldSpec& field, std::size_t hwc, std::size_t chw) {
  if (field.layout == Layout::Plain || field.shape.rank() != 3) return Shape::kUnknown;
  return field.shape[field.layout == Layout::Hwc ? hwc : chw];
}

}  // namespace

bool isRagged(const FieldSpec& field) {
  return field.dtype == DType::Encoded ||
         (field.shape.elements() == Shape::kUnknown && !field.padded);
}

std::int64_t FieldSpec::height() const { return dimension(*this, 0, 1); }
std::int64_t FieldSpec::width() const { return dimension(*this, 1, 2); }
std::int64_t FieldSpec::channels() const { return dimension(*this, 2, 0); }

std::string FieldSpec::text() const {
  std::string text = fmt::format("{} {}", name, nameOf(dtype));
  if (dtype != DType::Encoded) text += " " + shape.text();
  if (layout != Layout::Plain) text += fmt::format(" {}", nameOf(layout));
  if (padded) text += " padded";
  if (oneHot) text += " one-hot";
  if (classes > 0 && !oneHot)
    text += fmt::format(" of {} {}", classes, classes == 1 ? "class" : "classes");
  return text;
}

const FieldSpec* StreamType::field(std::string_view name) const {
  for (const FieldSpec& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

namespace {

/// Whether both are views of the same form.
bool areAlike(const FieldSpec& a, const FieldSpec& b) {
  if (a.view == 0 || b.view == 0) return false;
  FieldSpec other = b;
  other.name = a.name;
  other.view = a.view;
  return a == other;
}

}  // namespace

std::string StreamType::text() const {
  std::string text = level == Level::Batch ? fmt::format("batch of {}", batchSize) : "sample";
  text += fmt::format(", {}:", nameOf(place));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldSpec& first = fields[i];
    while (i + 1 < fields.size() && areAlike(first, fields[i + 1])) ++i;
    FieldSpec shown = first;
    if (&fields[i] != &first) shown.name += " to " + fields[i].name;
    text += (&first == fields.data() ? " " : "; ") + shown.text();
  }
  return text;
}

Shape pictureShape(std::int64_t height, std::int64_t width, std::int64_t channels, Layout layout) {
  switch (layout) {
    case Layout::Hwc: return {height, width, channels};
    case Layout::Chw: return {channels, height, width};
    case Layout::Plain: break;
  }
  return {height, width};
}

}  // namespace millrace
