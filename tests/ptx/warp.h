// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/ptx/program.h"
#include "tests/ptx/race.h"

namespace millrace::ptx {

inline constexpr int kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffff'ffffU;

struct Place3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint64_t product() const { return std::uint64_t{x} * y * z; }
};

/// An error of a kernel. `lane` and the instruction identify the thread; the grid adds the rest.
struct Fault : std::runtime_error {
  enum class Kind { Address, Misaligned, Race, Unwritten, Barrier, Instruction };
  Fault(Kind k, int l, const std::string& what) : std::runtime_error(what), kind(k), lane(l) {}
  Kind kind;
  int lane;
};

/// State shared by the warps of a block. Blocks run one after the other in the same object.
struct Block {
  const Program* program = nullptr;
  Place3 grid;
  Place3 size;
  Place3 index;
  std::vector<std::byte> shared;
  std::vector<std::uint32_t> sharedWriters;
  std::vector<std::uint32_t> sharedReaders;
  std::vector<std::byte> parameters;
  RaceEpoch epoch;
  std::uint64_t operation = 0;  ///< the launch, numbered among all work of the device
  bool checksRaces = true;
  bool checksUnwritten = true;
};

/// Lanes that are at the same instruction.
struct Fragment {
  std::uint32_t at = 0;
  std::uint32_t lanes = 0;
  bool waits = false;  ///< at a barrier, or for other lanes
};

struct Warp {
  Block* block = nullptr;
  std::byte* registers = nullptr;
  std::byte* local = nullptr;  ///< of lane 0; those of the other lanes follow
  std::uint32_t active = 0;    ///< lanes that execute the current instruction
  std::uint32_t at = 0;        ///< the current instruction
  std::uint32_t alive = 0;     ///< lanes that have not ended
  std::uint32_t started = 0;   ///< lanes that have been started
  std::uint32_t number = 0;    ///< number within the block
  std::uint32_t threads = 0;   ///< race number of lane 0
  std::uint64_t executed = 0;  ///< instructions
  std::vector<Fragment> fragments;
  std::uint32_t place[3][kLanes] = {};  ///< %tid

  template <class T>
  T* lanes(std::uint32_t at) const {
    return reinterpret_cast<T*>(registers + at);
  }
  std::uint32_t& predicate(std::uint32_t at) const { return *lanes<std::uint32_t>(at); }

  /// Calls `visit(lane)` for each active lane. Lanes must be independent of each other.
  template <class Visit>
  void each(const Visit& visit) const {
    if (active == kAllLanes) {
#if !defined(__clang__)
#pragma GCC ivdep
#endif
      for (int lane = 0; lane < kLanes; ++lane) visit(lane);
      return;
    }
    eachInOrder(visit);
  }
  /// In lane order, for operations that may access the same memory.
  template <class Visit>
  void eachInOrder(const Visit& visit) const {
    for (std::uint32_t left = active; left != 0; left &= left - 1) visit(std::countr_zero(left));
  }
};

}  // namespace millrace::ptx
