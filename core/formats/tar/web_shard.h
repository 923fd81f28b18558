// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/folder/junk_names.h"
#include "core/formats/tar/tar_walk.h"

namespace millrace {

/// Splits the name of a WebDataset member like webdataset's `base_plus_ext`: the key is everything
/// up to the first dot of the file name, folders included; the extension follows the dot, in lower
/// case. Both are empty for names without a dot, hidden files, and names that start with
/// `__meta__`.
struct WebName {
  std::string_view key;
  std::string extension;
};
WebName webName(std::string_view path);

/// The samples of a shard: consecutive members with the same key. The extensions to keep are set
/// before the walk. Constant after listing; any thread.
class WebShard {
 public:
  /// A part of a sample: a member with one of these extensions.
  using Alternatives = std::vector<std::string>;
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t size = kAbsent;
    bool present() const { return size != kAbsent; }
  };
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  explicit WebShard(std::vector<Alternatives> parts, Junk junk = Junk::Skip)
      : m_parts(std::move(parts)), m_rule(junk) {}

  /// Finds up to `most` further samples; a sample ends at the next one or at the end of the
  /// archive.
  Status advance(TarWalk& walk, std::size_t most);
  bool done() const { return m_done; }

  std::size_t samples() const { return m_keys.size(); }
  std::string_view key(std::size_t sample) const;
  Place place(std::size_t sample, std::size_t part) const {
    return m_places[sample * m_parts.size() + part];
  }
  /// For each part that some samples lack: how many, and hints at the reason, in sentences. Call it
  /// when `done`.
  std::vector<std::string> missingParts() const;
  /// A sentence if the samples lie in several folders, which may be their classes; otherwise empty.
  std::string foldersNote() const;
  /// Notes on samples with duplicate parts, and on members that belong to no sample.
  const std::vector<std::string>& notes() const { return m_notes; }
  /// Members that are not data by their names.
  const JunkCount& junk() const { return m_junk; }

 private:
  /// A member that would be a part if its key did not end at the first dot of its name.
  struct Dotted {
    std::optional<std::size_t> sample;  ///< whose part it would be; absent: of any, by its name
    std::size_t part;
    std::string name;
  };

  void take(const TarMember& member, const WebName& name);
  void takeDotted(const TarMember& member, const WebName& name, bool known);
  void note(std::string sentence);

  std::vector<Alternatives> m_parts;
  Junk m_rule;
  JunkCount m_junk;
  std::vector<std::uint64_t> m_keys;  ///< start of each key in the text
  std::string m_text;
  std::vector<Place> m_places;
  std::vector<std::string> m_notes;
  std::optional<Dotted> m_dotted;  ///< the first one
  bool m_done = false;
  bool m_hasNext = false;
  TarMember m_next;
};

/// What members with an extension contain, from a shard's first samples.
struct WebExtension {
  std::size_t members = 0;
  std::uint64_t smallest = 0;
  std::uint64_t largest = 0;
  static constexpr std::size_t kSmall = 65536;
  std::vector<WebShard::Place> small;  ///< members of at most kSmall bytes
  std::string text() const;
};
using WebSurvey = std::map<std::string, WebExtension, std::less<>>;
/// Examines the first `samples` samples. `damage` receives TarWalk::damage of the part examined.
Result<WebSurvey> surveyShard(int fd, std::uint64_t size, std::size_t samples,
                              Junk junk = Junk::Skip, std::vector<std::string>* damage = nullptr);

}  // namespace millrace
