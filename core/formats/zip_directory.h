// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/open_file.h"

namespace millrace {

/// A member of a zip archive, as its central directory has it (PKWARE APPNOTE 4.3.12, with zip64).
struct ZipMember {
  static constexpr unsigned kStored = 0;
  static constexpr unsigned kDeflated = 8;

  std::string name;
  unsigned method = kStored;
  std::uint32_t crc = 0;
  std::uint64_t packedSize = 0;
  std::uint64_t size = 0;
  std::uint64_t head = 0;  ///< where its local head is
};

/// The members in the order of the directory. Every number is checked against the file's size. The
/// error is a sentence without the file's name.
Result<std::vector<ZipMember>> readZipDirectory(const OpenFile& file);

/// Where a member's content begins; it has packedSize bytes there, within the file.
Result<std::uint64_t> zipContent(const OpenFile& file, const ZipMember& member);

/// A deflated member's content in a file without a name, of the size and check sum that the
/// directory says.
Result<OpenFile> unpackZipMember(const OpenFile& file, const ZipMember& member);

}  // namespace millrace
