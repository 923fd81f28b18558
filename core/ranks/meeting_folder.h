// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include "core/base/result.h"

namespace millrace {

/// A folder that the ranks of one run alone share while they run (core/base/rank), removed at its
/// end. Its maker holds a lock on it, so that what a program left that was killed is known for
/// that, and removed by the next one. Moves; one thread.
class MeetingFolder {
 public:
  /// In the folder for temporary files. The error names it.
  static Result<MeetingFolder> make();
  static Result<MeetingFolder> make(const std::filesystem::path& parent);
  MeetingFolder(MeetingFolder&& other) noexcept
      : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1)) {}
  MeetingFolder& operator=(MeetingFolder&&) = delete;
  MeetingFolder(const MeetingFolder&) = delete;
  MeetingFolder& operator=(const MeetingFolder&) = delete;
  ~MeetingFolder();

  const std::filesystem::path& path() const { return m_path; }

 private:
  MeetingFolder(std::filesystem::path path, int lock) : m_path(std::move(path)), m_lock(lock) {}

  std::filesystem::path m_path;
  int m_lock;
};

}  // namespace millrace
