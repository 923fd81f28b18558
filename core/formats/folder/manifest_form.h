// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/folder/text_encoding.h"

namespace millrace {

/// The name of a column that is to be found by its name and its cells.
inline constexpr std::string_view kAnyColumn = "auto";

/// What is known about a manifest; everything else is to be found.
struct ManifestHints {
  std::optional<char> separator;
  std::optional<bool> header;
  TextEncoding encoding = TextEncoding::Auto;
  std::string image{kAnyColumn};
  std::string label{kAnyColumn};  ///< empty: no labels
  /// Columns of 0 and 1, one for each class; with them `label` is not used.
  std::vector<std::string> oneHot;
  std::optional<char> labelSeparator;  ///< nullopt: found
  std::string target;                  ///< empty: none
  std::string mask;
  std::filesystem::path root;  ///< absolute; empty: found
  /// Added to paths without one: ".jpg"; empty: nothing is added.
  std::optional<std::string> extension;
  std::optional<bool> byName;  ///< as in ManifestForm; nullopt: found
};

/// How a manifest is written, and where its paths start. Value.
struct ManifestForm {
  TextEncoding encoding = TextEncoding::Utf8;
  bool foreignText = false;  ///< it is probably in another encoding, which is not supported
  char separator = ',';
  bool header = true;
  /// The cells of the header row; "1", "2", ... without one.
  std::vector<std::string> columns;
  std::string image;
  std::string label;
  bool quantities = false;          ///< the labels are real numbers, not classes
  std::vector<std::string> oneHot;  ///< instead of `label`: the column with a 1 is the class
  /// Columns of 0 and 1 with several ones in a row: samples with several classes.
  std::vector<std::string> several;
  bool minusOnes = false;  ///< columns of `oneHot` or `several` hold -1, which counts as 0
  /// What divides several labels in the cells of `label` (label_lists.h); 0: one label each.
  char labelSeparator = 0;
  std::string target;
  std::string mask;
  std::vector<std::string> fractions;  ///< of a table without a label: columns of measurements
  std::string sentences;               ///< the same: a column of captions
  std::vector<std::string> others;     ///< columns that are not read
  std::string split;                   ///< a column that divides the rows into sets; it is not read
  std::vector<std::string> splitNames;  ///< its first values
  std::filesystem::path root;
  std::string extension;
  bool backslashes = false;  ///< paths are written with `\`
  bool latin1Paths = false;  ///< files have names in Windows-1252
  /// What paths of another machine begin with, up to the root: "C:/data/"; left out of them.
  std::string prefix;
  bool byName = false;         ///< pictures are found by their names in all folders below the root
  bool looseNames = false;     ///< files have names that only look the same (LooseNames)
  std::size_t rows = 0;        ///< rows that were examined
  std::size_t foundFiles = 0;  ///< of these, rows whose picture exists
  std::vector<std::string> examples;         ///< pictures that exist, below the root
  std::vector<std::filesystem::path> masks;  ///< the same of the masks, whole paths
  std::string firstMissing;                  ///< path of the first row whose picture does not exist

  /// "separator `;`, no header row, paths start in `images`": what differs from the plainest form.
  /// `folder`: the manifest's.
  std::string text(const std::filesystem::path& folder) const;
};

/// Finds the form from the first rows of `bytes`, which are the manifest `file`, and from the files
/// that they name. The error says what is missing: a column with paths, or one that `hints` names.
Result<ManifestForm> findManifestForm(std::string_view bytes, const std::filesystem::path& file,
                                      const ManifestHints& hints = {});
/// Whether a folder has tables of what is in the folders next to it, by its name.
bool isListFolder(const std::string& name);
/// The path of a cell as `form` says: with slashes, its extension, and in the file system's bytes.
std::string manifestPath(std::string_view cell, const ManifestForm& form);

}  // namespace millrace
