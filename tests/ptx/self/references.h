// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace millrace::tests {

/// The result of an instruction for three operands, each being the bits of its type, in simple
/// code: integers in 128 bits, floats in the host's or wider types.
using Reference = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b, std::uint64_t c)>;
using References = std::map<std::string, Reference>;
void addIntegerReferences(References& all);
void addBitReferences(References& all);
void addFloatReferences(References& all);
void addConversionReferences(References& all);

template <class T>
T valueOf(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
std::uint64_t bitsOf(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

}  // namespace millrace::tests
