// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::tests {

/// A kernel of `(const std::uint64_t* in, std::uint64_t* out, std::uint32_t count)` that does one
/// instruction: out[i] of in[3 i] and the two behind it, each the bits of its type.
struct Operation {
  std::string text;      ///< "mad.lo.s32"
  std::string operands;  ///< a letter each: h 16, r 32, l 64 bits, f and d floats
  const void* kernel;
};

const std::vector<Operation>& operations();

}  // namespace millrace::tests
