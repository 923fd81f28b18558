// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace millrace {

/// A process and the CPU time of all its threads since its start.
struct ProcessCpu {
  int id = 0;
  double seconds = 0;
};

/// The processes that led to this one: its parent, that one's parent and so on, without the first
/// process of the machine. They wait for this process or show its progress, as the workbench does,
/// so that they are not "other programs". `proc`: /proc. Any thread.
std::vector<ProcessCpu> ancestors(const std::filesystem::path& proc, double ticksPerSecond);

/// Growth of the CPU time of the processes that are in both.
double cpuSecondsBetween(const std::vector<ProcessCpu>& earlier,
                         const std::vector<ProcessCpu>& later);

/// Whether this process is `id`'s parent or an earlier ancestor of it.
bool isDescendant(const std::filesystem::path& proc, int id);

/// The living processes that this one started, and those that they started. Empty if the kernel
/// does not list them.
std::vector<int> descendants(const std::filesystem::path& proc);

/// The name of a process as the user knows it: its command, and for an interpreter its script too
/// ("python3 train.py"). `kernelName` if the command cannot be read.
std::string programName(const std::filesystem::path& proc, int id, const std::string& kernelName);

}  // namespace millrace
