// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <QStringList>

namespace millrace::tests {

/// A folder whose file system does not answer, as on a network that is gone: while it hangs, every
/// call of the kernel that names a path below it waits in the kernel, whichever library made it.
/// The kernel itself sees to that (seccomp's user notifications, Linux 5.5), without privileges,
/// for the GUI thread, all threads that it starts from then on, and their processes. A call that
/// the GUI thread makes is let through and noted: it would have stopped the window. GUI thread.
class HungFolder {
 public:
  /// `folder`: absolute. It answers until `hang`.
  explicit HungFolder(const std::filesystem::path& folder);
  /// It answers again.
  ~HungFolder();
  HungFolder(const HungFolder&) = delete;
  HungFolder& operator=(const HungFolder&) = delete;

  /// Why this kernel, or what surrounds the test, does not let it; empty: it does.
  static QString obstacle();
  void hang();
  void answer();
  /// How many calls wait.
  static int waiting();
  /// The paths that the GUI thread has asked for while it hung.
  static QStringList askedByGui();

 private:
  std::string m_folder;
};

}  // namespace millrace::tests
