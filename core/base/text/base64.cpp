// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/base64.h"

#include <array>
#include <cstdint>

namespace millrace {

namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of each character; -1: not a digit.
constexpr std::array<std::int8_t, 256> base64Values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kBase64Digits.size(); ++i)
    values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::int8_t>(i);
  return values;
}

}  // namespace

std::string base64Of(const std::vector<std::byte>& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group =
          group << 8U | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kBase64Digits[group >> (18 - 6 * k) & 63U];
  }
  return text;
}

std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text) {
  static constexpr std::array<std::int8_t, 256> kValues = base64Values();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t digits = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::int8_t value =
          k < digits ? kValues[static_cast<unsigned char>(text[i + k])] : std::int8_t{0};
      if (value < 0) return std::nullopt;
      group = group << 6U | static_cast<std::uint32_t>(value);
    }
    for (std::size_t k = 0; k + 1 < digits; ++k)
      bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * k) & 255U));
    if (digits < 4 && (group & (digits == 2 ? 0xFFFFU : 0xFFU)) != 0) return std::nullopt;
  }
  return bytes;
}

}  // namespace millrace
