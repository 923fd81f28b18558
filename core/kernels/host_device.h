// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks functions that both the CPU kernels and the CUDA kernels call: small inline functions on
/// values, without library calls that differ between the two.
#if defined(__CUDACC__)
#define MILLRACE_HOST_DEVICE __host__ __device__
#else
#define MILLRACE_HOST_DEVICE
#endif

/// Before a loop with a compile-time count: on the device its arrays can then stay in registers.
#if defined(__CUDA_ARCH__)
#define MILLRACE_UNROLL _Pragma("unroll")
#else
#define MILLRACE_UNROLL
#endif

namespace millrace {

/// Reinterprets the bits as another type. std::bit_cast is not available in device code.
template <class To, class From>
MILLRACE_HOST_DEVICE inline To sameBits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace millrace
