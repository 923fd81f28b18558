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
#include "core/formats/folder/manifest_form.h"

namespace millrace {

/// The meaning of a manifest's columns.
struct ManifestColumns {
  std::vector<std::string> paths;  ///< names of the columns with paths
  /// The column with the labels, or the one-hot columns; empty: no labels.
  std::vector<std::string> labels;
  ManifestForm form;                 ///< separator, header row, and how paths are written
  std::vector<std::string> classes;  ///< allowed labels; empty: any
  bool integerLabels = false;        ///< allow only labels that classNumber accepts
  bool realLabels = false;           ///< allow only labels that are numbers
  /// A sample has any number of labels: of its cell, divided as the form says, or columns with a 1.
  bool multiLabel = false;
};

constexpr char kLabelEnd = '\n';

/// Upper limit of integer class labels.
constexpr std::int64_t kMostIntegerClasses = 1000000;
/// Parses a label that is a class number: digits, below kMostIntegerClasses. Spreadsheets may write
/// `1` as `1.0` or `1,0`.
std::optional<std::int64_t> classNumber(std::string_view text);

/// The rows of a manifest, in order. Constant after parsing; any thread.
class ManifestTable {
 public:
  /// `text` is UTF-8 (utf8Text). Unusable rows are left out; `problems` names their lines and
  /// columns. The error says which column is missing, or that no row is usable. Memory is bounded
  /// by the size of the text.
  static Result<ManifestTable> parse(std::string_view text, const ManifestColumns& columns);

  std::size_t rows() const { return m_paths.size() / m_columns; }
  /// The line of the file where the row starts, from 1.
  std::uint32_t line(std::size_t row) const { return m_rowLines[row]; }
  /// Zero-terminated; valid as long as the table.
  const char* path(std::size_t row, std::size_t column) const {
    return m_text.data() + m_paths[row * m_columns + column];
  }
  /// Index into labelTexts().
  std::uint32_t label(std::size_t row) const { return m_labels[row]; }
  /// A sentence about rows that list a picture again with another label; empty: there are none.
  std::string contradictions() const;
  /// The distinct labels, in the order of their first occurrence. With multiLabel, those of a
  /// sample, each followed by kLabelEnd.
  const std::vector<std::string>& labelTexts() const { return m_labelTexts; }
  /// The lines that were left out, one sentence per reason.
  std::vector<std::string> problems() const;
  std::size_t leftOut() const { return m_leftOut; }

 private:
  struct Lines {
    std::size_t first;
    std::size_t last;
  };
  struct Places {
    std::vector<std::size_t> paths;
    std::vector<std::size_t> labels;
    std::size_t cells = 0;
  };
  struct Files;

  Status addRow(const std::vector<std::string_view>& cells, const Places& places,
                const ManifestColumns& columns, Files& files);
  Status addLabel(const std::vector<std::string_view>& cells, const Places& places,
                  const ManifestColumns& columns);
  Status addLabels(const std::vector<std::string_view>& cells, const Places& places,
                   const ManifestColumns& columns);
  void takeLabel(std::string_view text);
  void leaveOut(std::size_t line, const std::string& reason);

  std::size_t m_columns = 1;
  bool m_hasLabel = false;
  std::vector<char> m_text;
  std::vector<std::uint64_t> m_paths;
  std::vector<std::uint32_t> m_rowLines;
  std::vector<std::uint32_t> m_labels;
  std::vector<std::string> m_labelTexts;
  std::map<std::string, std::uint32_t, std::less<>> m_labelNumbers;
  std::map<std::string, std::vector<Lines>> m_bad;
  std::size_t m_leftOut = 0;
};

}  // namespace millrace
