// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/file_window.h"

namespace millrace {

/// A regular file within a tar archive.
struct TarMember {
  std::string name;  ///< as it is stored: never opened, so it may be absolute
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Walks the regular files of a tar archive: ustar, GNU long names, pax `path` and `size`
/// (POSIX.1-2001 pax, section "ustar Interchange Format"; GNU tar manual, "Basic Tar Format").
/// Nothing is unpacked: links, folders, devices and sparse files are passed over. Damaged heads
/// are passed over up to the next sound one. One thread; the descriptor must outlive it.
class TarWalk {
 public:
  static constexpr std::size_t kBlock = 512;

  TarWalk(int fd, std::uint64_t size);

  /// The next one; false behind the last. The error (the file cannot be read) is a sentence
  /// without its name.
  Result<bool> next(TarMember& member);
  bool done() const { return m_done; }
  /// What was passed over because it is damaged or of a kind that holds no bytes to read, in
  /// sentences without the file's name; a limited number of them.
  const std::vector<std::string>& damage() const { return m_damage; }
  std::size_t links() const { return m_links; }

 private:
  /// What a head says, and what the long heads in front of it said.
  struct Long {
    std::string name;
    bool hasSize = false;
    std::uint64_t size = 0;
  };
  Result<const std::byte*> head();
  Status passDamage();
  Result<bool> takeLong(char type, std::uint64_t size, Long& said);
  void note(std::string sentence);
  void pass(std::uint64_t content);

  const std::uint64_t m_size;
  std::uint64_t m_at = 0;
  bool m_done = false;
  bool m_shortMembers = true;
  FileWindow m_window;
  std::vector<std::string> m_damage;
  std::size_t m_links = 0;
};

/// Whether 512 bytes are a tar head with the right sum.
bool isTarHead(const std::byte* block);

}  // namespace millrace
