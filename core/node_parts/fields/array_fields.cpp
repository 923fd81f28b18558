// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/array_fields.h"

#include <cstring>

#include "core/base/text/text.h"
#include "core/formats/folder/held_out_names.h"
#include "core/formats/real_labels.h"

namespace millrace::nodes {

std::string fieldNameOf(std::string_view from, std::string_view prefix) {
  std::string name;
  for (const char c : from)
    name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ? c
            : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a')
                                   : '_';
  if (!name.empty() && name.front() >= 'a' && name.front() <= 'z') return name;
  return std::string(prefix) + name;
}

bool isLabelName(std::string_view name) {
  return name == "y" || name.starts_with("y_") || name == "cls" ||
         name.find("label") != std::string_view::npos ||
         name.find("class") != std::string_view::npos || name == "targets" || name == "target";
}

bool hasTrainingTwin(std::string_view name, const std::set<std::string>& names) {
  const std::string low = lowerCase(name);
  const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (const std::string_view word : kHeldOutNames) {
    const std::size_t at = low.find(word);
    const std::size_t end = at + word.size();
    if (at == std::string::npos || (at > 0 && isLetter(low[at - 1])) ||
        (end < low.size() && isLetter(low[end])))
      continue;
    for (const char* training : {"train", "training"})
      if (names.contains(low.substr(0, at) + training + low.substr(end))) return true;
  }
  return false;
}

Role pictureRoleOf(std::string_view name) {
  if (name.find("mask") != std::string_view::npos) return Role::Mask;
  return name.starts_with("target") ? Role::Target : Role::Image;
}

Layout pictureLayoutOf(const Shape& row) {
  if (row.rank() != 3) return Layout::Plain;
  const auto channels = [](std::int64_t n) { return n == 1 || n == 3 || n == 4; };
  if (channels(row[2])) return Layout::Hwc;
  return channels(row[0]) ? Layout::Chw : Layout::Plain;
}

bool isInteger(DType type) { return !isFloat(type) && type != DType::Encoded; }

std::int64_t integerAt(const std::byte* bytes, DType type) {
  const auto as = [bytes](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  switch (type) {
    case DType::U8: return as(std::uint8_t{});
    case DType::I8: return as(std::int8_t{});
    case DType::U16: return as(std::uint16_t{});
    case DType::I16: return as(std::int16_t{});
    case DType::I32: return as(std::int32_t{});
    default: return as(std::int64_t{});
  }
}

double realAt(const std::byte* bytes, DType type) {
  if (type == DType::F32) {
    float single = 0;
    std::memcpy(&single, bytes, sizeof single);
    return static_cast<double>(single);
  }
  double value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::optional<std::int64_t> labelAt(const std::byte* bytes, DType type) {
  return isInteger(type) ? integerAt(bytes, type) : classIn(realAt(bytes, type));
}

bool storesLabels(DType type) {
  return isInteger(type) || type == DType::F32 || type == DType::F64;
}

}  // namespace millrace::nodes
