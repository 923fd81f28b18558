// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// This process as one of several that a launcher started together: torchrun, Open MPI, Slurm's
/// srun or MPICH. Value.
struct LaunchedRank {
  std::string launcher;      ///< its name, for messages: "Open MPI"
  std::int64_t number = 0;   ///< starts at 0
  std::int64_t world = 1;    ///< the number of processes
  std::int64_t local = 0;    ///< the number on this machine, starts at 0
  bool oneMachine = true;    ///< all processes run on this machine
  std::string job;           ///< the same text in all processes of one start, and in no others
  std::string firstMachine;  ///< name or address of rank 0's machine; empty if it is not known
};

/// Reads the environment variables that launchers set. nullopt for a process that no launcher
/// started, or that it started alone. If launchers are nested, the innermost counts: torchrun, then
/// MPI, then Slurm. The error names the variable that is missing or wrong. Any thread.
Result<std::optional<LaunchedRank>> launchedRank();

}  // namespace millrace
