// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Which columns of a manifest mean what.
struct ManifestColumns {
  std::vector<std::string> paths;    ///< names of the columns that hold paths
  std::string label;                 ///< empty: no labels
  std::vector<std::string> classes;  ///< labels that are allowed; empty: any
  bool integerLabels = false;        ///< only labels that classNumber takes
  char separator = ',';
};

/// Classes that integers may number.
constexpr std::int64_t kMostIntegerClasses = 1000000;
/// A label that is a class's number: digits, below kMostIntegerClasses.
std::optional<std::int64_t> classNumber(std::string_view text);

/// The rows of one manifest, in its order. Constant after parsing; any thread.
class ManifestTable {
 public:
  /// Rows that cannot be used are left out and named in `problems` by their lines. The error says
  /// which column is missing, or that no row is left. Memory is bounded by the size of the text.
  static Result<ManifestTable> parse(std::string_view text, const ManifestColumns& columns);

  std::size_t rows() const { return m_paths.size() / m_columns; }
  /// Zero-terminated; lives as long as the table.
  const char* path(std::size_t row, std::size_t column) const {
    return m_text.data() + m_paths[row * m_columns + column];
  }
  /// Index into labelTexts().
  std::uint32_t label(std::size_t row) const { return m_labels[row]; }
  /// The different labels, in the order in which they first come.
  const std::vector<std::string>& labelTexts() const { return m_labelTexts; }
  /// Sentences with every line that was left out, by reason.
  std::vector<std::string> problems() const;
  std::size_t leftOut() const { return m_leftOut; }

 private:
  struct Lines {
    std::size_t first;
    std::size_t last;
  };
  struct Places {
    std::vector<std::size_t> paths;
    std::size_t label = 0;
    std::size_t cells = 0;
  };

  Status addRow(const std::vector<std::string_view>& cells, const Places& places,
                const ManifestColumns& columns);
  Status addLabel(std::string_view label, const ManifestColumns& columns);
  void leaveOut(std::size_t line, const std::string& reason);

  std::size_t m_columns = 1;
  bool m_hasLabel = false;
  std::vector<char> m_text;
  std::vector<std::uint64_t> m_paths;
  std::vector<std::uint32_t> m_labels;
  std::vector<std::string> m_labelTexts;
  std::map<std::string, std::uint32_t, std::less<>> m_labelNumbers;
  std::map<std::string, std::vector<Lines>> m_bad;
  std::size_t m_leftOut = 0;
};

}  // namespace millrace
