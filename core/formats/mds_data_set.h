// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/formats/block_reader.h"
#include "core/formats/file_hashes.h"
#include "core/formats/mds_index.h"
#include "core/formats/mds_shard.h"

namespace millrace {

/// `shard.00000.mds`, also with the end of a compression.
bool isMdsFileName(std::string_view name);

struct MdsOpening {
  /// Compares each shard, when it is opened, with the hashes that its index names. It is read
  /// whole for that.
  bool checkHashes = false;
  ReadBy readBy = ReadBy::Cache;  ///< for that
};

/// The shards of MosaicML data sets, numbered through. A shard is opened, and unpacked where it is
/// compressed, when its first sample is wanted: counting costs no more than the index. Monitor.
class MdsDataSet {
 public:
  /// Of folders with an index.json (or folders of those, or of shards alone), of index files, and
  /// of single shards. Shards that are not there are left out, which `notes` says, as of hashes
  /// that cannot be compared. The error names the file.
  static Result<std::unique_ptr<MdsDataSet>> open(const std::vector<std::string>& paths,
                                                  const std::filesystem::path& base,
                                                  std::vector<std::string>& notes,
                                                  MdsOpening opening = {});
  explicit MdsDataSet(MdsOpening opening) : m_opening(opening) {}

  std::uint32_t size() const { return m_starts.back(); }
  const std::vector<MdsColumn>& columns() const { return m_columns; }
  /// The shard of a sample, and its number in there.
  std::pair<std::size_t, std::uint32_t> find(std::uint32_t sample) const;
  const std::filesystem::path& path(std::size_t shard) const { return m_slots[shard]->path; }
  /// The error (a file that vanished, damage, another hash or number of samples) is a sentence
  /// without the file's name, and stays.
  Result<const MdsShard*> shard(std::size_t shard) const;

 private:
  struct Slot {
    // Constant after opening the set.
    std::filesystem::path path;
    std::string compression;  ///< empty: it lies there unpacked
    std::uint64_t bytes = 0;  ///< unpacked; 0: not known
    std::uint32_t samples = 0;
    std::vector<FileHash> hashes;          ///< of the file
    std::vector<FileHash> unpackedHashes;  ///< of what a compressed one holds

    mutable std::atomic<const Result<MdsShard>*> ready{nullptr};
    mutable Mutex mutex;
    mutable std::optional<Result<MdsShard>> opened MILLRACE_GUARDED_BY(mutex);
  };

  struct Missing {
    std::vector<std::string> names;
    std::uint64_t samples = 0;
  };

  Status addIndex(const std::filesystem::path& file, std::vector<std::string>& notes);
  Status addEntry(const std::filesystem::path& folder, const MdsShardEntry& entry,
                  Missing& missing);
  Status addShard(const std::filesystem::path& file);
  Status add(std::unique_ptr<Slot> slot);
  Status takeColumns(std::vector<MdsColumn> columns, const std::filesystem::path& file);
  void notePacked(std::vector<std::string>& notes) const;
  void noteHashes(std::vector<std::string>& notes) const;
  Result<MdsShard> openSlot(const Slot& slot) const;

  const MdsOpening m_opening;
  std::vector<MdsColumn> m_columns;
  std::vector<std::unique_ptr<Slot>> m_slots;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each, and the end
};

}  // namespace millrace
