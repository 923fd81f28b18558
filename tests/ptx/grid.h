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
  std::size_t sharedBytes = 0;  ///< added by the launch
  std::vector<std::byte> parameters;
};

/// A finding, ready to be printed.
struct Finding {
  Fault::Kind kind;
  std::string text;
};

/// Runs a kernel's grids: block by block, within a block the warps in turn, within a warp the lanes
/// that are furthest behind. Keeps the kernel's registers, including constants, from launch to
/// launch. The device runs one launch at a time.
class GridRunner {
 public:
  /// Both must outlive it.
  GridRunner(const Program& program, const Module& module);
  ~GridRunner();

  /// Ends at the first error of the kernel.
  std::optional<Finding> run(const Launch& launch);

 private:
  void prepare(const Launch& launch);
  void startBlock();
  void startEpoch();
  void runBlock();
  bool runWarp(Warp& warp);
  void runFragment(Warp& warp, std::size_t index);
  /// Whether the fragment continues: false at a barrier, at an end, or if it was split.
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
  std::size_t m_room = 0;  ///< number of warps for which there are registers
};

}  // namespace millrace::ptx
