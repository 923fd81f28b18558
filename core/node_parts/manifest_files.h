// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/folder/manifest_table.h"
#include "core/formats/io/unique_fd.h"

namespace millrace::nodes {

/// How labels become class numbers.
enum class LabelNumbers : std::uint8_t { Auto, Integer, OneBased, Text, Real };

/// The samples that one or more manifests list, and their classes. Constant after opening; any
/// thread.
class ManifestFiles {
 public:
  struct Settings {
    ManifestHints hints;
    LabelNumbers labels = LabelNumbers::Auto;
    std::vector<std::string> classes;  ///< names in order; empty: as found in the manifests
    bool multiLabel = false;           ///< samples have any number of classes
  };
  /// The error names the manifest that cannot be read, or the two that differ.
  static Result<ManifestFiles> open(const std::vector<std::filesystem::path>& files,
                                    Settings settings);

  std::uint32_t size() const { return m_starts.back(); }
  /// Number of files of a sample: its picture, then target and mask.
  std::size_t pathColumns() const { return m_tables.front().columns.paths.size(); }
  bool hasLabel() const { return !m_tables.front().columns.labels.empty(); }
  /// The numbers of the sample's classes: one, unless multiLabel is set.
  std::span<const std::int32_t> labels(std::uint32_t index) const;
  /// Labels are real numbers.
  bool hasQuantities() const { return m_tables.front().columns.realLabels; }
  double quantity(std::uint32_t index) const {
    const Table& table = tableOf(index);
    return table.quantities[table.rows.label(row(index))];
  }
  bool multiLabel() const { return m_settings.multiLabel; }
  const std::vector<std::string>& classes() const { return m_classes; }
  const std::vector<std::string>& warnings() const { return m_warnings; }

  /// A path that starts at folder(), which is an open descriptor.
  const char* path(std::uint32_t index, std::size_t column) const {
    return tableOf(index).rows.path(row(index), column);
  }
  int folder(std::uint32_t index) const { return tableOf(index).fd.get(); }
  /// The whole path.
  std::string file(std::uint32_t index, std::size_t column) const {
    return (tableOf(index).folder / path(index, column)).native();
  }
  /// Position of the sample's manifest among those of open().
  std::uint32_t manifest(std::uint32_t index) const {
    return static_cast<std::uint32_t>(at(index));
  }
  /// "labels.csv, line 7, column `mask`".
  std::string place(std::uint32_t index, std::size_t column) const;

 private:
  /// One manifest with its rows, and the folder that its paths start at.
  struct Table {
    std::filesystem::path file;
    std::filesystem::path folder;
    ManifestColumns columns;
    UniqueFd fd;
    ManifestTable rows;
    std::vector<double> quantities;       ///< of all texts of labels, if they are real numbers
    std::vector<std::int32_t> classes;    ///< of all texts of labels, one after the other
    std::vector<std::uint32_t> classEnd;  ///< where those of a text end, by its number
  };
  /// The least and the greatest of labels that are all numbers.
  struct NumberRange;

  explicit ManifestFiles(Settings settings) : m_settings(std::move(settings)) {}
  Result<Table> read(const std::filesystem::path& file) const;
  Status add(Table table);
  ManifestColumns columnsOf(ManifestForm form) const;
  Status checkAlike(const Table& table) const;
  void readQuantities();
  void numberClasses();
  void noteNumbersAsNames();
  void takeNumbers(const NumberRange& range);
  std::vector<std::string> labelsOf(const std::string& text) const;
  template <class NumberOf>
  void giveNumbers(NumberOf numberOf);

  std::size_t at(std::uint32_t index) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }
  const Table& tableOf(std::uint32_t index) const { return m_tables[at(index)]; }
  std::size_t row(std::uint32_t index) const { return index - m_starts[at(index)]; }

  Settings m_settings;
  std::vector<Table> m_tables;
  std::vector<std::uint32_t> m_starts{0};  ///< first index of each table, and the end
  std::vector<std::string> m_classes;
  std::vector<std::string> m_warnings;
};

}  // namespace millrace::nodes
