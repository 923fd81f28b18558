// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/tar_walk.h"

namespace millrace {

/// What a member of a WebDataset shard is called (webdataset's `base_plus_ext`): the key up to the
/// first dot of the file name, folders included, and behind the dot the extension in lower case.
/// Both empty for names without a dot, hidden ones and `__meta__` ones.
struct WebName {
  std::string_view key;
  std::string extension;
};
WebName webName(std::string_view path);

/// Samples of one shard: consecutive members with the same key. Which parts of them are kept is
/// said by extension before the walk. Constant once looked through; any thread.
class WebShard {
 public:
  /// One part of a sample: one of these extensions.
  using Alternatives = std::vector<std::string>;
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t size = kAbsent;
    bool present() const { return size != kAbsent; }
  };
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  explicit WebShard(std::vector<Alternatives> parts) : m_parts(std::move(parts)) {}

  /// Finds at most `most` more samples; what ends the last one is the next one or the end.
  Status advance(TarWalk& walk, std::size_t most);
  bool done() const { return m_done; }

  std::size_t samples() const { return m_keys.size(); }
  std::string_view key(std::size_t sample) const;
  Place place(std::size_t sample, std::size_t part) const {
    return m_places[sample * m_parts.size() + part];
  }
  /// Members that make a sample have a part twice, and members that are of no sample.
  const std::vector<std::string>& notes() const { return m_notes; }

 private:
  void take(const TarMember& member, const WebName& name);
  void note(std::string sentence);

  std::vector<Alternatives> m_parts;
  std::vector<std::uint64_t> m_keys;  ///< where each begins in the text
  std::string m_text;
  std::vector<Place> m_places;
  std::vector<std::string> m_notes;
  bool m_done = false;
  bool m_hasNext = false;
  TarMember m_next;
};

/// What the extensions of a shard hold, by its first samples.
struct WebExtension {
  std::size_t members = 0;
  std::uint64_t smallest = 0;
  std::uint64_t largest = 0;
  std::string text() const;
};
using WebSurvey = std::map<std::string, WebExtension, std::less<>>;
/// Looks at the first `samples` samples.
Result<WebSurvey> surveyShard(int fd, std::uint64_t size, std::size_t samples);

}  // namespace millrace
