// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/spec/source.h"

namespace millrace {

/// A source whose samples take long to find, so that a run may begin before all are known: size()
/// is how many were found so far, and only grows. What is there already stays as it is.
class GrowingSource : public Source {
 public:
  /// All samples are found: size() is final.
  virtual bool complete() const = 0;
  /// Looks on until there are `count` samples or the source is complete. Any thread.
  virtual void extend(std::uint32_t count) const = 0;
};

}  // namespace millrace
