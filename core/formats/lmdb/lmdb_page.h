// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/little_endian.h"
#include "core/base/result.h"
#include "core/formats/lmdb/lmdb_file.h"

namespace millrace {

// Shared by the readers of values (lmdb_file.cpp) and of keys (lmdb_tree.cpp).

inline constexpr std::uint64_t kLmdbPageHead = 16;

/// Page flags, at byte 10 of a page.
enum LmdbPageFlag : unsigned { kLmdbBranch = 1, kLmdbLeaf = 2, kLmdbOverflow = 4, kLmdbMeta = 8 };

/// Integers in a record whose size has been checked.
class LmdbFields {
 public:
  explicit LmdbFields(const std::byte* bytes) : m_bytes(bytes) {}
  std::uint64_t u64(std::size_t at) const { return littleEndian<std::uint64_t>(m_bytes + at); }
  std::uint32_t u32(std::size_t at) const { return littleEndian<std::uint32_t>(m_bytes + at); }
  unsigned u16(std::size_t at) const { return littleEndian<std::uint16_t>(m_bytes + at); }

 private:
  const std::byte* m_bytes;
};

/// An error if a writer has started to change what the snapshot shows.
Status checkUnchanged(int fd, const LmdbSnapshot& snapshot);

}  // namespace millrace
