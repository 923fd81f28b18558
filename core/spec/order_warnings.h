// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/spec/source.h"

namespace millrace {

struct OrderWarning {
  std::string message;
  std::string remedy;
};

/// An IndexTransform may also be this: it knows what the user should know about the samples that it
/// chooses.
class OrderWarnings {
 public:
  virtual ~OrderWarnings() = default;
  /// For a source whose scan is complete.
  virtual std::vector<OrderWarning> warnings(const Source& source) const = 0;
};

}  // namespace millrace
