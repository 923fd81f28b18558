// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace {

/// A source whose files name what its fields are read from: columns, datasets, keys. Thread-safe
/// once the source is open.
class HasFieldKeys {
 public:
  virtual ~HasFieldKeys() = default;
  /// The name in the files of each of Source::fields(), in their order. Empty: the fields have no
  /// such names.
  virtual std::vector<std::string> fieldKeys() const = 0;
};

}  // namespace millrace
