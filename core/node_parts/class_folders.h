// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/folder/junk_names.h"

namespace millrace::nodes {

/// Which part of a folder with a training set and a validation set.
enum class Subset : std::uint8_t { Train, Validation, All };
/// The order in which class folders are numbered.
enum class ClassOrder : std::uint8_t { Bytes, Numeric };

/// A folder with pictures, and which of its folders belong to the subset.
struct DividedFolder {
  std::filesystem::path path;
  std::vector<std::string> parts;  ///< "train", "val"; one empty string if it is not divided
  std::string trainPart;           ///< its classes are numbered first
};

/// Looks for `train` next to a validation folder; a folder without both is used as a whole. The
/// error says that there is no validation set to select.
Result<DividedFolder> divideFolder(const std::filesystem::path& path, Subset subset);

/// The classes that folders define by the names of their first folder level, and their numbers.
/// The class folders of a training set come first, so that its validation set, another folder or
/// another machine gives them the same numbers; folders that exist only elsewhere follow. Value.
class ClassFolders {
 public:
  struct Settings {
    ClassOrder order = ClassOrder::Bytes;
    Junk junk = Junk::Skip;
  };
  /// `classesFrom`: the folder that defines the numbers in place of the training sets; may be
  /// empty.
  ClassFolders(const std::vector<DividedFolder>& roots, const std::filesystem::path& classesFrom,
               Settings settings);

  /// The number of a class; a new name gets the next one.
  std::int32_t add(const std::string& name);
  const std::vector<std::string>& names() const { return m_names; }
  /// What is easily overlooked about the numbers, in sentences.
  const std::vector<std::string>& notes() const { return m_notes; }

 private:
  void takeLookAlikes(const std::vector<std::string>& names, std::size_t known);
  void addSorted(std::vector<std::string> names);
  void noteNumbers();
  void noteTrainingSet(const DividedFolder& root);
  void noteHeldOutSet(const DividedFolder& root);

  const Settings m_settings;
  std::vector<std::string> m_names;
  std::map<std::string, std::int32_t, std::less<>> m_numbers;
  std::vector<std::string> m_notes;
};

}  // namespace millrace::nodes
