// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace millrace {

/// Where the records of a source hold lists of classes, and how it reads them.
struct ClassLists {
  std::string key;                   ///< the key, column or part that holds them
  std::string param;                 ///< the source's list parameter that names what is read
  std::vector<std::string> entries;  ///< its value: what is read now, then the lists as label
};

/// A source that found lists of classes in its first records, but reads them only if
/// a parameter selects them: without a node one_hot they form no batch. Any thread.
class FindsClassLists {
 public:
  virtual ~FindsClassLists() = default;
  virtual std::optional<ClassLists> classLists() const = 0;
};

}  // namespace millrace
