// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/data/stream_type.h"

namespace millrace::nodes {

/// Whether a field is one class number per sample, and not a list or a vector.
bool isClassNumber(const FieldSpec& field);

/// The numbers of labels that are texts. The numbers follow a given list of names. Without one,
/// texts that are all whole numbers are these numbers, and others follow the byte order of all
/// texts that occur. Constant, and so thread-safe, once its names are set.
class TextClasses {
 public:
  /// Texts of more classes, or of more bytes, are not labels.
  static constexpr std::size_t kMostClasses = 65536;
  static constexpr std::size_t kMostBytes = 256;

  /// Adds a text of a sample. The error says why such texts are not classes; there is no use in
  /// adding others then.
  Status add(std::span<const std::byte> text);
  /// Numbers the classes by their place in `given`. If it is empty, `addAll` adds the texts of all
  /// samples, and one of `notes` says which number each has. The error says that the texts of
  /// `name`, a column or a part, are not classes, for example because almost every sample has its
  /// own.
  Status learn(std::string_view kind, const std::string& name, std::vector<std::string> given,
               const std::function<Status()>& addAll, std::vector<std::string>& notes);

  /// Empty if the texts are numbers.
  const std::vector<std::string>& names() const { return m_names; }
  /// The class of a text. Error: it is not one of the names.
  Result<std::int64_t> numberOf(std::span<const std::byte> text) const;

 private:
  Status number();
  void use(std::vector<std::string> names);
  std::string note(const std::string& name) const;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::set<std::string, std::less<>> m_found;
  std::size_t m_added = 0;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> m_numbers;
};

}  // namespace millrace::nodes
