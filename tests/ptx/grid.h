// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/ptx/ptx_text.h"
#include "tests/ptx/warp.h"

namespace millrace::ptx {

struct Launch {
  Place3 grid;
  Place3 block;
  std::size_t sharedBytes = 0;  ///< that the launch adds
  std::vector<std::byte> parameters;
};

/// What was found, ready to be printed.
struct Finding {
  Fault::Kind kind;
  std::string text;
};

/// A kernel's registers, kept from launch to launch with their constants in them, and what runs its
/// grids: block by block, within a block warp by warp for some time each, within a warp the lanes
/// that are furthest behind. One launch at a time on the device.
class GridRunner {
 public:
  /// Both outlive it.
  GridRunner(const Program& program, const Module& module);
  ~GridRunner();

  /// Ends at the first thing that a kernel must not do.
  std::optional<Finding> run(const Launch& launch);

 private:
  void prepare(const Launch& launch);
  void startBlock();
  void startEpoch();
  void runBlock();
  bool runWarp(Warp& warp);
  void runFragment(Warp& warp, std::size_t index);
  /// Whether the fragment goes on: false at a barrier, an end, or where it split.
  bool special(Warp& warp, Fragment& fragment, const Instruction& i, std::uint32_t lanes);
  bool jump(Warp& warp, Fragment& fragment, const Instruction& i, std::uint32_t lanes);
  bool synchronise(Warp& warp, Fragment& fragment, const Instruction& i);
  void releaseBarrier();
  void barrierFault(Warp& warp, const Fragment& fragment, const std::string& why);
  Finding explain(const Fault& fault) const;

  const Program& m_program;
  const Module& m_module;
  const bool m_checksRaces;
  Block m_block;
  std::vector<Warp> m_warps;
  Warp* m_running = nullptr;
  std::unique_ptr<std::byte[]> m_registers;
  std::unique_ptr<std::byte[]> m_local;
  std::size_t m_room = 0;  ///< warps that there are registers for
};

}  // namespace millrace::ptx
