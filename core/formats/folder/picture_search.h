// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/formats/folder/manifest_form.h"

namespace millrace {

class LooseNames;

/// Looks on disk for pictures that a table lists, and so finds where its paths start and how they
/// are written. Tries at most some thousand paths. One thread.
class PictureSearch {
 public:
  /// Cells of the column with the paths, of rows from the whole table: folders often follow each
  /// other. Of many cells, some are examined. `table`: the file.
  PictureSearch(const std::vector<std::string>& cells, const std::filesystem::path& table);

  /// Sets what `form` says of paths, from `root` to `firstMissing`.
  void find(ManifestForm& form, const ManifestHints& hints) const;

 private:
  bool isAtServer() const;
  void takeAsWritten(ManifestForm& form, const ManifestHints& hints) const;
  std::size_t found(const ManifestForm& form) const;
  std::vector<std::filesystem::path> roots(const ManifestHints& hints) const;
  std::vector<std::string> extensions(const ManifestHints& hints) const;
  void findRoot(ManifestForm& form, const ManifestHints& hints) const;
  void findPrefix(ManifestForm& form, const ManifestHints& hints) const;
  bool areNames() const;
  bool isNamed(const std::filesystem::path& folder) const;
  void findByName(ManifestForm& form, const ManifestHints& hints) const;
  void findLoose(ManifestForm& form, LooseNames& names) const;
  void takeExamples(ManifestForm& form, LooseNames& names) const;

  const std::filesystem::path m_folder;
  const std::string m_table;  ///< the name of the file
  std::vector<std::string> m_cells;
};

}  // namespace millrace
