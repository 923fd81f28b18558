// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tests {

/// The vector levels that this machine has and the kernels are built for, the plain one included.
std::vector<std::int64_t> vectorLevels();
std::string levelName(std::int64_t level);

/// Forces one vector level on all kernels as long as it lives. Tests run on one thread.
class ForcedLevel {
 public:
  explicit ForcedLevel(std::int64_t level);
  ~ForcedLevel();
  ForcedLevel(const ForcedLevel&) = delete;
  ForcedLevel& operator=(const ForcedLevel&) = delete;
};

/// Bytes without pattern, the same on every run.
std::vector<std::uint8_t> noise(std::size_t count, std::uint32_t seed);

}  // namespace millrace::tests
