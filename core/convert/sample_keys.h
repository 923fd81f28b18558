// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/spec/source.h"

namespace millrace {

/// A sample's name as a key that every format takes: relative, without extension, no dot behind
/// the last slash, no line breaks, of bounded length.
std::string keyFor(std::string_view sampleName);

/// 64-bit FNV-1a (Fowler, Noll, Vo), to tell texts and values apart.
constexpr std::uint64_t kHashBegin = 0xcbf29ce484222325U;
constexpr std::uint64_t hashed(std::string_view bytes, std::uint64_t so = kHashBegin) {
  for (const char c : bytes) so = (so ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return so;
}

/// Keys of all samples of a source, no two of them equal. Constant; any thread.
class SampleKeys {
 public:
  /// Asks for the name of every sample: 16 bytes each while it looks.
  explicit SampleKeys(const Source& source);
  std::string key(std::uint32_t index) const;
  /// Of all keys in their order: whether a source is the one that it was.
  std::uint64_t hashOfAll() const { return m_hashOfAll; }

 private:
  const Source& m_source;
  std::unordered_set<std::uint64_t> m_shared;  ///< hashes of keys that several samples have
  std::uint64_t m_hashOfAll = kHashBegin;
};

}  // namespace millrace
