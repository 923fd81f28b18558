// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/self/planted.h"

#include <cuda_runtime.h>

namespace millrace::tests {

namespace {

using Word = std::uint32_t;

__device__ Word place() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// No defect as long as both arrays have `count` words.
__global__ void copies(Word* data, Word* other, Word count) {
  if (place() < count) data[place()] = other[place()] + 1;
}
/// One thread writes past the end.
__global__ void copiesOneMore(Word* data, Word* other, Word count) {
  if (place() <= count) data[place()] = place() < count ? other[place()] : 0;
}
__global__ void readsOneMore(Word* data, Word* other, Word count) {
  if (place() < count) data[place()] = other[place() + 1];
}
/// Stores two words at once at an odd index.
__global__ void storesMisaligned(Word* data, Word*, Word) {
  *reinterpret_cast<uint2*>(data + 1) = uint2{1, 2};
}
__global__ void storesAligned(Word* data, Word*, Word) {
  *reinterpret_cast<uint2*>(data + 2) = uint2{1, 2};
}

/// Every thread reads what its neighbour has written.
template <bool kWaits>
__global__ void sharesWithNeighbour(Word* data, Word*, Word) {
  __shared__ Word words[256];
  words[threadIdx.x] = threadIdx.x;
  if (kWaits) __syncthreads();
  data[threadIdx.x] = words[(threadIdx.x + 1) % blockDim.x];
}
/// A second round begins before all threads have read the first.
template <bool kWaits>
__global__ void sharesTwice(Word* data, Word*, Word) {
  __shared__ Word words[256];
  for (Word round = 0; round < 3; ++round) {
    words[threadIdx.x] = threadIdx.x + round;
    __syncthreads();
    data[threadIdx.x] = words[(threadIdx.x + 33) % blockDim.x];
    if (kWaits) __syncthreads();
  }
}
/// Different threads write different bytes of one word: no race.
__global__ void sharesBytes(Word* data, Word*, Word) {
  __shared__ unsigned char bytes[256];
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  data[threadIdx.x] = bytes[threadIdx.x ^ 1U];
}
__global__ void sharesPastTheEnd(Word* data, Word*, Word count) {
  extern __shared__ Word asked[];
  asked[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = asked[threadIdx.x] + count;
}

/// Half of each warp waits at another barrier.
__global__ void waitsAtTwoPlaces(Word* data, Word*, Word) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
    data[threadIdx.x] = 1;
  } else {
    data[threadIdx.x] = 2;
    __syncthreads();
  }
}
/// Some threads never arrive.
__global__ void waitsForTheEnded(Word* data, Word*, Word count) {
  if (threadIdx.x >= count) return;
  __syncthreads();
  data[threadIdx.x] = 1;
}
/// Reads unwritten memory if `other` was not written.
__global__ void addsUp(Word* data, Word* other, Word count) {
  Word sum = 0;
  for (Word i = 0; i < count; ++i) sum += other[i];
  data[place()] = sum;
}

/// Blocks write different values to the same place.
__global__ void writesTheSamePlace(Word* data, Word*, Word) { data[0] = blockIdx.x; }
/// All threads write the same value, which is undetectable.
__global__ void writesTheSame(Word* data, Word*, Word) { data[0] = 7; }
/// Within a block, without a barrier.
__global__ void movesDown(Word* data, Word*, Word count) {
  if (threadIdx.x + 1 < count) data[threadIdx.x] = data[threadIdx.x + 1];
}
__global__ void movesDownInTurn(Word* data, Word*, Word count) {
  const Word next = threadIdx.x + 1 < count ? data[threadIdx.x + 1] : 0;
  __syncthreads();
  if (threadIdx.x + 1 < count) data[threadIdx.x] = next;
}
/// A block reads what another one may or may not have written.
__global__ void readsOtherBlocks(Word* data, Word*, Word count) {
  if (threadIdx.x == 0) data[blockIdx.x] = data[(blockIdx.x + 1) % count];
}
__global__ void countsWithoutAtomics(Word* data, Word*, Word) { data[0] += 1; }
__global__ void counts(Word* data, Word*, Word) { atomicAdd(data, 1U); }
__global__ void countsAndReads(Word* data, Word*, Word) {
  atomicAdd(data, 1U);
  data[1 + place()] = data[0];
}

/// Reads through the read-only path what the same launch wrote.
__global__ void readsAsReadOnly(Word* data, Word*, Word) {
  data[threadIdx.x] = threadIdx.x;
  Word value;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(data + threadIdx.x) : "memory");
  data[threadIdx.x] = value;
}

/// A standard block-wise sum.
__global__ void sums(Word* data, Word* other, Word count) {
  __shared__ Word words[8];
  Word sum = place() < count ? other[place()] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? words[threadIdx.x] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, offset);
  if (threadIdx.x == 0) atomicAdd(data, sum);
}
/// Names lanes that are elsewhere.
__global__ void shufflesWithTheEnded(Word* data, Word*, Word) {
  if (threadIdx.x % 32 >= 16) return;
  data[threadIdx.x] = __shfl_down_sync(0xffffffffU, threadIdx.x, 1);
}
__global__ void votes(Word* data, Word*, Word) {
  const Word odd = __ballot_sync(0xffffffffU, threadIdx.x % 2 == 1);
  const bool any = __any_sync(0xffffffffU, threadIdx.x == 5) != 0;
  const bool all = __all_sync(0xffffffffU, threadIdx.x == 5) != 0;
  data[threadIdx.x] = odd ^ static_cast<Word>(any) ^ (static_cast<Word>(all) << 1U);
}

__device__ __noinline__ Word factorial(Word of) {
  Word product = 1;
  for (Word i = 2; i <= of; ++i) product *= i;
  return product;
}
__device__ __noinline__ Word binomial(Word n, Word k) {
  return factorial(n) / (factorial(k) * factorial(n - k));
}
__global__ void callsFunctions(Word* data, Word*, Word) {
  data[threadIdx.x] = binomial(9, threadIdx.x % 10) + binomial(5, threadIdx.x % 6);
}

/// A thread's local array with an index that is unknown at compile time.
__global__ void indexesItsOwn(Word* data, Word*, Word count) {
  volatile Word own[8];
  for (Word i = 0; i < 8; ++i) own[i] = i * i;
  data[threadIdx.x] = own[(threadIdx.x + count) % 8];
}
__global__ void indexesPastItsOwn(Word* data, Word*, Word count) {
  volatile Word own[8];
  for (Word i = 0; i < 8; ++i) own[i] = i * i;
  data[threadIdx.x] = own[threadIdx.x + count];
}

/// Threads diverge in loops of different lengths and reconverge.
__global__ void loopsApart(Word* data, Word* other, Word count) {
  Word sum = 0;
  for (Word i = 0; i <= threadIdx.x % 7; ++i) {
    if ((threadIdx.x + i) % 3 == 0) continue;
    for (Word k = 0; k < i; ++k) sum += other[k % count];
    if (sum > 40) break;
  }
  __syncthreads();
  data[threadIdx.x] = sum;
}

/// Runs for `count` microseconds.
__global__ void spins(Word*, Word*, Word count) {
  const auto now = [] {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  };
  const unsigned long long begin = now();
  while (now() - begin < count * 1000ULL) {
  }
}
__global__ void __launch_bounds__(64) takesFewThreads(Word* data, Word*, Word) { data[0] = 1; }
struct Much {
  Word words[1025];
};
__global__ void takesMuch(Word* data, Much much) { data[0] = much.words[1024]; }

}  // namespace

const std::map<std::string, const void*>& plantedKernels() {
#define MILLRACE_KERNEL(name) {#name, reinterpret_cast<const void*>(&name)}
  static const std::map<std::string, const void*> kernels = {
      MILLRACE_KERNEL(copies),
      MILLRACE_KERNEL(copiesOneMore),
      MILLRACE_KERNEL(readsOneMore),
      MILLRACE_KERNEL(storesMisaligned),
      MILLRACE_KERNEL(storesAligned),
      {"sharesWithNeighbour<false>", reinterpret_cast<const void*>(&sharesWithNeighbour<false>)},
      {"sharesWithNeighbour<true>", reinterpret_cast<const void*>(&sharesWithNeighbour<true>)},
      {"sharesTwice<false>", reinterpret_cast<const void*>(&sharesTwice<false>)},
      {"sharesTwice<true>", reinterpret_cast<const void*>(&sharesTwice<true>)},
      MILLRACE_KERNEL(sharesBytes),
      MILLRACE_KERNEL(sharesPastTheEnd),
      MILLRACE_KERNEL(waitsAtTwoPlaces),
      MILLRACE_KERNEL(waitsForTheEnded),
      MILLRACE_KERNEL(addsUp),
      MILLRACE_KERNEL(writesTheSamePlace),
      MILLRACE_KERNEL(writesTheSame),
      MILLRACE_KERNEL(movesDown),
      MILLRACE_KERNEL(movesDownInTurn),
      MILLRACE_KERNEL(readsOtherBlocks),
      MILLRACE_KERNEL(countsWithoutAtomics),
      MILLRACE_KERNEL(counts),
      MILLRACE_KERNEL(countsAndReads),
      MILLRACE_KERNEL(readsAsReadOnly),
      MILLRACE_KERNEL(sums),
      MILLRACE_KERNEL(shufflesWithTheEnded),
      MILLRACE_KERNEL(votes),
      MILLRACE_KERNEL(callsFunctions),
      MILLRACE_KERNEL(indexesItsOwn),
      MILLRACE_KERNEL(indexesPastItsOwn),
      MILLRACE_KERNEL(loopsApart),
      MILLRACE_KERNEL(spins),
      MILLRACE_KERNEL(takesFewThreads),
      MILLRACE_KERNEL(takesMuch),
  };
#undef MILLRACE_KERNEL
  return kernels;
}

}  // namespace millrace::tests
