// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tests {

/// The vector levels that this machine supports and the kernels are built for, including none.
std::vector<std::int64_t> vectorLevels();
std::string levelName(std::int64_t level);

/// Forces one vector level on all kernels while it exists. Tests run on one thread.
class ForcedLevel {
 public:
  explicit ForcedLevel(std::int64_t level);
  ~ForcedLevel();
  ForcedLevel(const ForcedLevel&) = delete;
  ForcedLevel& operator=(const ForcedLevel&) = delete;
};

/// Bytes without a pattern, equal in every run.
std::vector<std::uint8_t> noise(std::size_t count, std::uint32_t seed);

}  // namespace millrace::tests
