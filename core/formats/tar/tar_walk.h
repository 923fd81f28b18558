// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/file_window.h"

namespace millrace {

/// A regular file in a tar archive.
struct TarMember {
  std::string name;  ///< as stored; may be absolute, because it is never opened
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Iterates over the regular files of a tar archive: ustar, GNU long names, pax `path` and `size`
/// (POSIX.1-2001 pax, section "ustar Interchange Format"; GNU tar manual, "Basic Tar Format").
/// Nothing is extracted; links, folders, devices and sparse files are skipped. Damage is skipped up
/// to the next valid header. One thread; the descriptor must outlive it.
class TarWalk {
 public:
  static constexpr std::size_t kBlock = 512;

  TarWalk(int fd, std::uint64_t size);

  /// The next file; false after the last. The error (the archive cannot be read) does not contain
  /// its name.
  Result<bool> next(TarMember& member);
  bool done() const { return m_done; }
  /// What was skipped as damaged or unsupported, in sentences without the file's name; limited in
  /// number.
  const std::vector<std::string>& damage() const { return m_damage; }
  std::size_t links() const { return m_links; }

 private:
  /// What long-name and pax headers say about the next member.
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

/// Whether 512 bytes are a tar header with a correct checksum.
bool isTarHead(const std::byte* block);

}  // namespace millrace
