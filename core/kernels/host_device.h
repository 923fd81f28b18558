// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a pixel rule that both the CPU kernels and the CUDA kernels call: a small inline function
/// on values, without library calls that differ by side.
#if defined(__CUDACC__)
#define MILLRACE_HOST_DEVICE __host__ __device__
#else
#define MILLRACE_HOST_DEVICE
#endif

/// In front of a loop whose count the compiler knows: on the device its arrays then stay registers.
#if defined(__CUDA_ARCH__)
#define MILLRACE_UNROLL _Pragma("unroll")
#else
#define MILLRACE_UNROLL
#endif

namespace millrace {

/// The same bits as another type. std::bit_cast is no device function.
template <class To, class From>
MILLRACE_HOST_DEVICE inline To sameBits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace millrace
