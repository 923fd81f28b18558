// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <QTemporaryDir>

namespace millrace::tests {

/// A root folder with the kernel's files.
class FakeRoot {
 public:
  void put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << text;
  }
  std::filesystem::path path() const { return m_folder.path().toStdString(); }

 private:
  QTemporaryDir m_folder;
};

}  // namespace millrace::tests
