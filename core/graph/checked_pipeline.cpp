// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/checked_pipeline.h"

#include "core/base/random.h"

namespace millrace {

std::uint32_t CheckedNode::drawKey() const { return drawKeyOf(id); }

std::uint32_t drawKeyOf(std::string_view id) {
  const std::uint64_t hash = fnv1a(id);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace millrace
