// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace millrace {

/// Reads the names that samples' own records contain. For use by one thread.
class StoredNames {
 public:
  virtual ~StoredNames() = default;
  /// Empty: the record has none, or it cannot be read.
  virtual std::string name(std::uint32_t index) = 0;
};

/// A source whose records may contain names that Source::name() does not tell, because it reads no
/// record. Any thread.
class KeepsNames {
 public:
  virtual ~KeepsNames() = default;
  /// nullptr: the records contain none.
  virtual std::unique_ptr<StoredNames> storedNames() const = 0;
};

}  // namespace millrace
