// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/vector_level.h"

#include <fmt/format.h>
// The levels for which pixel_rows.cpp is built.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#include <hwy/highway.h>

namespace millrace {

std::string vectorLevel() {
  // Better levels have lower bits; the baseline is always included.
  const std::int64_t usable = (hwy::SupportedTargets() | HWY_STATIC_TARGET) & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

std::string vectorLibraryVersion() {
  return fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH);
}

}  // namespace millrace
