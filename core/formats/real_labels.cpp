// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/real_labels.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace millrace {

std::optional<std::int64_t> classIn(double number) {
  constexpr double kMost = 1e15;
  if (!(number >= 0 && number <= kMost) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

void RealLabels::add(double number) {
  if (std::isnan(number)) return;
  (classIn(number) ? m_classes : m_quantities) = true;
}

void RealLabels::add(std::string_view text) {
  const auto number = realNumberIn(text, true);
  if (number && !(*number < 0 && *number == std::floor(*number))) add(*number);
}

std::optional<double> realNumberIn(std::string_view text, bool comma) {
  std::string pointed(text);
  if (comma && std::ranges::count(pointed, ',') == 1 && pointed.find('.') == std::string::npos)
    std::ranges::replace(pointed, ',', '.');
  const char* const last = pointed.data() + pointed.size();
  double number = 0;
  const auto [end, error] = std::from_chars(pointed.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

FieldSpec quantityField(DType type, std::string name) {
  return {std::move(name), type, {}, Layout::Plain, Role::Features};
}

bool isQuantity(const FieldSpec& field) { return field == quantityField(field.dtype); }

}  // namespace millrace
