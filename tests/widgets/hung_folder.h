// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <QStringList>

namespace millrace::tests {

/// A folder whose file system does not respond, like a lost network drive. While it hangs, every
/// system call with a path below it blocks in the kernel, whichever library makes it. The kernel
/// implements this (seccomp's user notifications, Linux 5.5) without privileges, for the GUI
/// thread, all threads started from it later, and their processes. Calls by the GUI thread are let
/// through and recorded, because they would have blocked the window. GUI thread.
class HungFolder {
 public:
  /// `folder`: absolute. It responds until `hang`.
  explicit HungFolder(const std::filesystem::path& folder);
  /// It responds again.
  ~HungFolder();
  HungFolder(const HungFolder&) = delete;
  HungFolder& operator=(const HungFolder&) = delete;

  /// Why this kernel or the test's environment does not support it; empty if it does.
  static QString obstacle();
  void hang();
  void answer();
  /// The number of blocked calls.
  static int waiting();
  /// The paths that the GUI thread accessed while it hung.
  static QStringList askedByGui();

 private:
  std::string m_folder;
};

}  // namespace millrace::tests
