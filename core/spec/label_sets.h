// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace millrace {

/// A source whose samples may have several classes or none, and that knows them without reading the
/// samples. Source::labelOf() is then -1. Any thread.
class KnowsLabelSets {
 public:
  virtual ~KnowsLabelSets() = default;
  /// False: every sample has one class.
  virtual bool hasLabelSets() const = 0;
  /// The numbers of a sample's classes; of a picture with objects, the class of each.
  virtual std::vector<std::int64_t> labelsOf(std::uint32_t index) const = 0;
};

}  // namespace millrace
