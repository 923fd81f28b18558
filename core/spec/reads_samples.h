// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/source.h"

namespace millrace {

/// An IndexTransform may also be this: it may have to read samples before it knows their order.
class ReadsSamples {
 public:
  virtual ~ReadsSamples() = default;
  virtual bool readsSamples(const Source& source) const = 0;
};

}  // namespace millrace
