// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"

namespace millrace {

/// A member of a zip archive, from the central directory (PKWARE APPNOTE 4.3.12, with zip64).
/// libzip does not say where in the archive a member's content is, and stored members are read in
/// place.
struct ZipMember {
  static constexpr unsigned kStored = 0;
  static constexpr unsigned kDeflated = 8;

  std::string name;
  unsigned method = kStored;
  std::uint32_t crc = 0;
  std::uint64_t packedSize = 0;
  std::uint64_t size = 0;
  std::uint64_t head = 0;  ///< offset of its local header
};

/// The members in the order of the directory. All numbers are checked against the file's size. The
/// error does not contain the file's name.
Result<std::vector<ZipMember>> readZipDirectory(const OpenFile& file);

/// The offset of a member's content, whose packedSize bytes are within the file.
Result<std::uint64_t> zipContent(const OpenFile& file, const ZipMember& member);

/// Decompresses a deflated member into an unnamed file; size and checksum must match the directory.
Result<OpenFile> unpackZipMember(const OpenFile& file, const ZipMember& member);

}  // namespace millrace
