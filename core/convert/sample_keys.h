// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/spec/source.h"
#include "core/spec/stored_names.h"

namespace millrace {

/// Turns a sample's name into a key that every format accepts: a relative path without extension,
/// without dots after the last slash, without line breaks, of limited length.
std::string keyFor(std::string_view sampleName);

/// 64-bit FNV-1a (Fowler, Noll, Vo), used to distinguish texts and values.
constexpr std::uint64_t kHashBegin = 0xcbf29ce484222325U;
constexpr std::uint64_t hashed(std::string_view bytes, std::uint64_t so = kHashBegin) {
  for (const char c : bytes) so = (so ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return so;
}

/// The names in the source's records; nullptr if it keeps none.
std::unique_ptr<StoredNames> storedNamesOf(const Source& source);

/// Unique keys for all samples of a source. Constant; any thread.
class SampleKeys {
 public:
  /// Reads the names of all samples, from their records if these contain names; needs 16 bytes per
  /// sample meanwhile. `source` must outlive this object.
  explicit SampleKeys(const Source& source);
  /// `names`: storedNamesOf(source) of the calling thread; may be nullptr.
  std::string key(std::uint32_t index, StoredNames* names = nullptr) const;
  /// Digest of all keys in order: identifies the source's contents.
  std::uint64_t hashOfAll() const { return m_hashOfAll; }

 private:
  std::string plainKey(std::uint32_t index, StoredNames* names) const;

  const Source& m_source;
  std::unordered_set<std::uint64_t> m_shared;  ///< hashes of keys shared by several samples
  std::uint64_t m_hashOfAll = kHashBegin;
};

}  // namespace millrace
