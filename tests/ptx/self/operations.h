// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::tests {

/// A kernel `(const std::uint64_t* in, std::uint64_t* out, std::uint32_t count)` that executes one
/// instruction: out[i] from in[3 i] and the following two values, each being the bits of its type.
struct Operation {
  std::string text;      ///< "mad.lo.s32"
  std::string operands;  ///< one letter each: h 16, r 32, l 64 bits, f and d floats
  const void* kernel;
};

const std::vector<Operation>& operations();

}  // namespace millrace::tests
