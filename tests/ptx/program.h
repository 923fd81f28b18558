// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::ptx {

struct Warp;
struct Instruction;

/// Executes an instruction for the lanes in `warp.active`.
using Handler = void (*)(Warp& warp, const Instruction& instruction);

/// What the scheduler does with an instruction.
enum class Step : std::uint8_t {
  Plain,     ///< runs its handler
  Jump,      ///< to `target`, if its guard is true
  Exit,      ///< ends the guarded lanes
  Barrier,   ///< waits for the block
  WarpSync,  ///< waits for the lanes of a mask, then runs its handler
};

/// One instruction of a warp. Operands are offsets in the warp's registers, where each register is
/// an array of 32 values; a predicate is a word with one bit per lane.
struct Instruction {
  Handler run = nullptr;
  std::uint32_t d = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::int64_t offset = 0;
  std::uint32_t more[4] = {};  ///< further results or operands
  std::uint32_t guard = 0;     ///< offset of the predicate
  std::uint32_t target = 0;
  std::int32_t line = 0;
  Step step = Step::Plain;
  bool guarded = false;
  bool guardNot = false;
  std::uint8_t count = 1;  ///< elements of a vector, or a number for the handler
};

/// A kernel that is ready to run. Immutable.
struct Program {
  struct Constant {
    std::uint32_t at;
    std::uint32_t bytes;  ///< of each lane's value
    std::uint64_t value;
  };
  struct Parameter {
    std::size_t offset;
    std::size_t bytes;
  };
  std::string name;
  std::vector<Instruction> code;
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::size_t parameterBytes = 0;
  std::size_t registerBytes = 0;  ///< per warp
  std::size_t sharedBytes = 0;    ///< without what the launch adds
  std::size_t localBytes = 0;     ///< per thread
  int mostThreads = 0;            ///< 0: as many as the device supports
};

/// The windows of the other spaces in the generic address space.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 60U;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << 60U;
inline constexpr std::uint64_t kParamWindow = std::uint64_t{3} << 60U;
inline constexpr std::uint64_t kWindowMask = std::uint64_t{7} << 60U;

}  // namespace millrace::ptx
