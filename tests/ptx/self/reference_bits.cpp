// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "tests/ptx/self/references.h"

namespace millrace::tests {

namespace {

using B = std::uint64_t;

bool bit(B value, B at) { return at < 64 && (value >> at & 1U) != 0; }

/// Computes a result bit by bit.
template <class Bit>
B bits(B width, const Bit& of) {
  B all = 0;
  for (B i = 0; i < width; ++i) all |= B{of(i)} << i;
  return all;
}

void addShifts(References& all, B width) {
  const std::string name = std::to_string(width);
  all["shl.b" + name] = [width](B a, B by, B) {
    return bits(width, [&](B i) { return i >= by && bit(a, i - by); });
  };
  all["shr.u" + name] = [width](B a, B by, B) {
    return bits(width, [&](B i) { return i + by < width && bit(a, i + by); });
  };
  all["shr.s" + name] = [width](B a, B by, B) {
    return bits(width, [&](B i) { return bit(a, i + by < width ? i + by : width - 1); });
  };
}

void addLogic(References& all, B width) {
  const std::string name = ".b" + std::to_string(width);
  const auto cut = [width](B value) { return bits(width, [&](B i) { return bit(value, i); }); };
  all["and" + name] = [cut](B a, B b, B) { return cut(a & b); };
  all["or" + name] = [cut](B a, B b, B) { return cut(a | b); };
  all["xor" + name] = [cut](B a, B b, B) { return cut(a ^ b); };
  all["not" + name] = [cut](B a, B, B) { return cut(~a); };
  all["cnot" + name] = [](B a, B, B) { return B{a == 0}; };
  all["popc" + name] = [width](B a, B, B) {
    B count = 0;
    for (B i = 0; i < width; ++i) count += B{bit(a, i)};
    return count;
  };
  all["clz" + name] = [width](B a, B, B) {
    B count = 0;
    while (count < width && !bit(a, width - 1 - count)) ++count;
    return count;
  };
  all["brev" + name] = [width](B a, B, B) {
    return bits(width, [&](B i) { return bit(a, width - 1 - i); });
  };
}

void addFields(References& all, B width) {
  const std::string name = std::to_string(width);
  for (const bool isSigned : {false, true})
    all[(isSigned ? "bfe.s" : "bfe.u") + name] = [width, isSigned](B a, B b, B c) {
      const B from = b & 0xffU;
      const B length = c & 0xffU;
      const B last = from + length - 1 < width - 1 ? from + length - 1 : width - 1;
      const bool fill = isSigned && length != 0 && bit(a, last);
      return bits(width,
                  [&](B i) { return i < length && from + i < width ? bit(a, from + i) : fill; });
    };
}

/// Selects bytes of a and b by the four digits of a selector.
B permuted(B a, B b, B selector) {
  B to = 0;
  for (B i = 0; i < 4; ++i) {
    const B digit = selector >> (4 * i) & 0xfU;
    const B byte = ((digit & 4U) != 0 ? b : a) >> (8 * (digit & 3U)) & 0xffU;
    to |= ((digit & 8U) == 0 ? byte : byte >= 0x80U ? 0xffU : 0U) << (8 * i);
  }
  return to;
}

template <class X, class Y>
B dot(B a, B b, B c) {
  auto sum = static_cast<std::int64_t>(valueOf<std::uint32_t>(c));
  for (B i = 0; i < 4; ++i)
    sum += std::int64_t{valueOf<X>(a >> (8 * i))} * std::int64_t{valueOf<Y>(b >> (8 * i))};
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

void addBitReferences(References& all) {
  for (const B width : {16U, 32U, 64U}) {
    addShifts(all, width);
    addLogic(all, width);
    addFields(all, width);
  }
  for (const bool wraps : {false, true}) {
    const std::string how = wraps ? "wrap.b32" : "clamp.b32";
    const auto by = [wraps](B c) { return wraps ? c % 32 : c < 32 ? c : 32; };
    all["shf.l." + how] = [by](B a, B b, B c) {
      return bits(32, [&](B i) { return bit(b << 32U | a, 32 + i - by(c)); });
    };
    all["shf.r." + how] = [by](B a, B b, B c) {
      return bits(32, [&](B i) { return bit(b << 32U | a, i + by(c)); });
    };
  }
  all["prmt.b32"] = &permuted;
  all["dp4a.u32.u32"] = &dot<std::uint8_t, std::uint8_t>;
  all["dp4a.u32.s32"] = &dot<std::uint8_t, std::int8_t>;
  all["dp4a.s32.u32"] = &dot<std::int8_t, std::uint8_t>;
  all["dp4a.s32.s32"] = &dot<std::int8_t, std::int8_t>;
}

}  // namespace millrace::tests
