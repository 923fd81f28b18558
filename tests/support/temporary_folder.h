// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <QTemporaryDir>

namespace millrace::tests {

/// A file's bytes; empty if it cannot be read.
inline std::string contentOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

/// A folder that is deleted with the object.
class TemporaryFolder {
 public:
  std::filesystem::path path() const { return m_folder.path().toStdString(); }

  /// Writes a file below it, and creates the folders in between.
  void write(const std::string& name, const std::string& content = "x") const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }
  void makeFolder(const std::string& name) const {
    std::filesystem::create_directories(path() / name);
  }
  /// Creates a link at `name` to `target`, unmodified.
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(target, path() / name);
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace millrace::tests
