// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <QTemporaryDir>

namespace millrace::tests {

/// A folder that goes with the object.
class TemporaryFolder {
 public:
  std::filesystem::path path() const { return m_folder.path().toStdString(); }

  /// Writes a file below it, with the folders in between.
  void write(const std::string& name, const std::string& content = "x") const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }
  void makeFolder(const std::string& name) const {
    std::filesystem::create_directories(path() / name);
  }
  /// A link at `name` to `target`, as it is written there.
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(target, path() / name);
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace millrace::tests
