// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include "core/base/result.h"

namespace millrace {

/// A temporary folder shared by the ranks of one run (core/base/rank); the destructor removes it.
/// The creator holds a lock on it, so the next run recognises and removes a folder whose process
/// was killed. Movable; one thread at a time.
class RendezvousFolder {
 public:
  /// Created in the system's folder for temporary files. The error names the folder that failed.
  static Result<RendezvousFolder> make();
  static Result<RendezvousFolder> make(const std::filesystem::path& parent);
  RendezvousFolder(RendezvousFolder&& other) noexcept
      : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1)) {}
  RendezvousFolder& operator=(RendezvousFolder&&) = delete;
  RendezvousFolder(const RendezvousFolder&) = delete;
  RendezvousFolder& operator=(const RendezvousFolder&) = delete;
  ~RendezvousFolder();

  const std::filesystem::path& path() const { return m_path; }

 private:
  RendezvousFolder(std::filesystem::path path, int lock) : m_path(std::move(path)), m_lock(lock) {}

  std::filesystem::path m_path;
  int m_lock;
};

}  // namespace millrace
