// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/self/operations.h"

#include <cstdint>

#include <cuda_runtime.h>

namespace millrace::tests {

namespace {

/// An operand type by its letter, and its bits.
struct H {
  using T = std::uint16_t;
  __device__ static T of(std::uint64_t bits) { return static_cast<T>(bits); }
  __device__ static std::uint64_t bits(T value) { return value; }
};
struct R {
  using T = std::uint32_t;
  __device__ static T of(std::uint64_t bits) { return static_cast<T>(bits); }
  __device__ static std::uint64_t bits(T value) { return value; }
};
struct L {
  using T = std::uint64_t;
  __device__ static T of(std::uint64_t bits) { return bits; }
  __device__ static std::uint64_t bits(T value) { return value; }
};
struct F {
  using T = float;
  __device__ static T of(std::uint64_t bits) {
    return __uint_as_float(static_cast<std::uint32_t>(bits));
  }
  __device__ static std::uint64_t bits(T value) { return __float_as_uint(value); }
};
struct D {
  using T = double;
  __device__ static T of(std::uint64_t bits) {
    return __longlong_as_double(static_cast<long long>(bits));
  }
  __device__ static std::uint64_t bits(T value) {
    return static_cast<std::uint64_t>(__double_as_longlong(value));
  }
};

template <class Op>
__global__ void apply(const std::uint64_t* in, std::uint64_t* out, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Op::of(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}

// The letters are those of asm constraints.
#define MILLRACE_UNARY(id, text, to, To, a, A)                                          \
  struct id {                                                                           \
    __device__ static std::uint64_t of(std::uint64_t x, std::uint64_t, std::uint64_t) { \
      To::T result;                                                                     \
      asm volatile(text " %0, %1;" : "=" #to(result) : #a(A::of(x)));                   \
      return To::bits(result);                                                          \
    }                                                                                   \
  };
#define MILLRACE_BINARY(id, text, to, To, a, A, b, B)                                     \
  struct id {                                                                             \
    __device__ static std::uint64_t of(std::uint64_t x, std::uint64_t y, std::uint64_t) { \
      To::T result;                                                                       \
      asm volatile(text " %0, %1, %2;" : "=" #to(result) : #a(A::of(x)), #b(B::of(y)));   \
      return To::bits(result);                                                            \
    }                                                                                     \
  };
#define MILLRACE_TERNARY(id, text, to, To, a, A, b, B, c, C)                                \
  struct id {                                                                               \
    __device__ static std::uint64_t of(std::uint64_t x, std::uint64_t y, std::uint64_t z) { \
      To::T result;                                                                         \
      asm volatile(text " %0, %1, %2, %3;"                                                  \
                   : "=" #to(result)                                                        \
                   : #a(A::of(x)), #b(B::of(y)), #c(C::of(z)));                             \
      return To::bits(result);                                                              \
    }                                                                                       \
  };
#include "tests/ptx/self/operations.def"
#undef MILLRACE_UNARY
#undef MILLRACE_BINARY
#undef MILLRACE_TERNARY

/// A comparison returns 1 or 0; the predicate is declared in an inner scope.
#define MILLRACE_COMPARE(id, text, a, A)                                                  \
  struct id {                                                                             \
    __device__ static std::uint64_t of(std::uint64_t x, std::uint64_t y, std::uint64_t) { \
      std::uint32_t result;                                                               \
      asm volatile("{ .reg .pred p; setp." text " p, %1, %2; selp.u32 %0, 1, 0, p; }"     \
                   : "=r"(result)                                                         \
                   : #a(A::of(x)), #a(A::of(y)));                                         \
      return result;                                                                      \
    }                                                                                     \
  };
#include "tests/ptx/self/comparisons.def"
#undef MILLRACE_COMPARE

}  // namespace

const std::vector<Operation>& operations() {
#define MILLRACE_UNARY(id, text, to, To, a, A) \
  {text, #to #a, reinterpret_cast<const void*>(&apply<id>)},
#define MILLRACE_BINARY(id, text, to, To, a, A, b, B) \
  {text, #to #a #b, reinterpret_cast<const void*>(&apply<id>)},
#define MILLRACE_TERNARY(id, text, to, To, a, A, b, B, c, C) \
  {text, #to #a #b #c, reinterpret_cast<const void*>(&apply<id>)},
#define MILLRACE_COMPARE(id, text, a, A) \
  {"setp." text, "r" #a #a, reinterpret_cast<const void*>(&apply<id>)},
  static const std::vector<Operation> all = {
#include "tests/ptx/self/comparisons.def"
#include "tests/ptx/self/operations.def"
  };
  return all;
}

}  // namespace millrace::tests
