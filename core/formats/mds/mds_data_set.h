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
#include "core/formats/io/block_reader.h"
#include "core/formats/io/file_hashes.h"
#include "core/formats/mds/mds_index.h"
#include "core/formats/mds/mds_shard.h"

namespace millrace {

/// `shard.00000.mds`, with or without the ending of a compression.
bool isMdsFileName(std::string_view name);

struct MdsOpening {
  /// Compares every shard with the hashes in its index when it is opened, which reads the whole
  /// file.
  bool checkHashes = false;
  ReadBy readBy = ReadBy::Cache;  ///< for hashing
};

/// The shards of MosaicML data sets, with samples numbered consecutively. A shard is opened, and if
/// necessary decompressed, when its first sample is needed; counting samples needs only the index.
/// Thread-safe.
class MdsDataSet {
 public:
  /// Opens folders with an index.json (or folders of those, or folders of shards), index files, and
  /// single shards. If an index is empty or cut off, the shards next to it are read. `notes`
  /// reports shards that are missing or unreadable and therefore left out, and hashes that cannot
  /// be checked. The error names the file.
  static Result<std::unique_ptr<MdsDataSet>> open(const std::vector<std::string>& paths,
                                                  const std::filesystem::path& base,
                                                  std::vector<std::string>& notes,
                                                  MdsOpening opening = {});
  explicit MdsDataSet(MdsOpening opening) : m_opening(opening) {}

  std::uint32_t size() const { return m_starts.back(); }
  const std::vector<MdsColumn>& columns() const { return m_columns; }
  /// Whether a shard must be decompressed before its samples can be read.
  bool isCompressed() const;
  /// The shard of a sample, and the sample's number within it.
  std::pair<std::size_t, std::uint32_t> find(std::uint32_t sample) const;
  const std::filesystem::path& path(std::size_t shard) const { return m_slots[shard]->path; }
  /// Position of the shard's path among those of open().
  std::uint32_t entry(std::size_t shard) const { return m_slots[shard]->entry; }
  /// Opens the shard if necessary. The error (the file disappeared, damage, a different hash) does
  /// not contain the file's name, and is returned again by later calls.
  Result<const MdsShard*> shard(std::size_t shard) const;

 private:
  struct Slot {
    // Constant after opening the set.
    std::filesystem::path path;
    std::string compression;  ///< empty: the file is not compressed
    std::uint64_t bytes = 0;  ///< uncompressed size; 0: unknown
    std::uint32_t samples = 0;
    std::uint32_t entry = 0;               ///< position of its path among those of open()
    std::vector<FileHash> hashes;          ///< hashes of the file
    std::vector<FileHash> unpackedHashes;  ///< hashes of the decompressed content

    mutable std::atomic<const Result<MdsShard>*> ready{nullptr};
    mutable Mutex mutex;
    mutable std::optional<Result<MdsShard>> opened MILLRACE_GUARDED_BY(mutex);
  };

  /// Between an index and the files, by the names of files.
  struct Differences {
    std::vector<std::string> missing;
    std::uint64_t missingSamples = 0;
    std::vector<std::string> resized;
  };

  Status addFiles(const std::vector<std::filesystem::path>& files, std::vector<std::string>& notes);
  Status addShards(const std::vector<std::filesystem::path>& files,
                   std::vector<std::string>& notes);
  Status addUnlisted(const std::filesystem::path& index, const std::string& fault,
                     std::vector<std::string>& notes);
  Status addIndex(const std::filesystem::path& file, std::vector<std::string>& notes);
  Status addRemoteEntry(const std::filesystem::path& folder, const MdsShardEntry& entry);
  Status addEntry(const std::filesystem::path& folder, const MdsShardEntry& entry,
                  Differences& differences);
  Status addShard(const std::filesystem::path& file);
  Status add(std::unique_ptr<Slot> slot);
  Status takeColumns(std::vector<MdsColumn> columns, const std::filesystem::path& file);
  void notePacked(std::vector<std::string>& notes) const;
  void noteHashes(std::vector<std::string>& notes) const;
  Result<MdsShard> openSlot(const Slot& slot) const;

  const MdsOpening m_opening;
  std::uint32_t m_entry = 0;  ///< position of the path whose shards are being added
  std::vector<MdsColumn> m_columns;
  std::vector<std::unique_ptr<Slot>> m_slots;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each shard, and the end
};

}  // namespace millrace
