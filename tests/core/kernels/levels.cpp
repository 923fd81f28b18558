// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/kernels/levels.h"

#include <hwy/highway.h>

namespace millrace::tests {

namespace {

void choose(std::int64_t levels) {
  hwy::SetSupportedTargetsForTest(levels);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::int64_t> vectorLevels() {
  // The kernels are not built for SSSE3: every machine since 2008 with SSSE3 also has SSE4.
  std::vector<std::int64_t> levels;
  for (const std::int64_t level :
       {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}})
    if ((hwy::SupportedTargets() & level) != 0) levels.push_back(level);
  levels.push_back(HWY_STATIC_TARGET);
  return levels;
}

std::string levelName(std::int64_t level) { return hwy::TargetName(level); }

ForcedLevel::ForcedLevel(std::int64_t level) { choose(level); }
ForcedLevel::~ForcedLevel() { choose(0); }

std::vector<std::uint8_t> noise(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint8_t> bytes(count);
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

}  // namespace millrace::tests
