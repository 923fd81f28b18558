// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_data_set.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/data_place.h"
#include "core/formats/mds/mds_packing.h"
#include "core/formats/shard_files.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndexName = "index.json";

Error inFile(const fs::path& file, const std::string& message) {
  return Error{fmt::format("`{}`: {}", validUtf8(file.native()), message)};
}

Status checkCompression(const fs::path& file, std::string_view compression) {
  const Status read = checkMdsCompression(compression);
  return read ? Status() : inFile(file, read.error().message);
}

Result<std::string> wholeText(const fs::path& file) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 28U;
  MILLRACE_ASSIGN_OR_RETURN(const auto opened, openForReading(file));
  if (opened.size > kMost)
    return Error{fmt::format("{} exceed the limit for an index ({})",
                             humanBytes(static_cast<double>(opened.size)),
                             humanBytes(static_cast<double>(kMost)))};
  std::string text(opened.size, '\0');
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(opened.fd.get(), 0, text.data(), text.size()));
  text.resize(got);
  return text;
}

Result<std::vector<fs::path>> filesBelow(const fs::path& folder,
                                         const std::function<bool(std::string_view)>& fits,
                                         std::vector<std::string>& notes) {
  MILLRACE_ASSIGN_OR_RETURN(auto found, shardFiles({folder.native()}, {}, fits, notes));
  std::vector<fs::path> files;
  for (ShardFile& file : found) files.push_back(std::move(file.path));
  return files;
}

/// Without the compressed copy of a shard that is there uncompressed.
Result<std::vector<fs::path>> shardsBelow(const fs::path& folder, std::vector<std::string>& notes) {
  MILLRACE_ASSIGN_OR_RETURN(auto files, filesBelow(folder, isMdsFileName, notes));
  const std::set<fs::path> all(files.begin(), files.end());
  std::erase_if(files, [&](const fs::path& file) {
    return !mdsCompressionOf(file.native()).empty() &&
           all.contains(file.parent_path() / file.stem());
  });
  return files;
}

/// The files that a folder stands for: its index, otherwise the indexes below it, otherwise the
/// shards below it.
Result<std::vector<fs::path>> filesOf(const fs::path& folder, std::vector<std::string>& notes) {
  if (const fs::path index = pathIn(folder, std::string(kIndexName)); isFileAt(index))
    return std::vector<fs::path>{index};
  const auto isIndex = [](std::string_view name) { return name == kIndexName; };
  auto indices = filesBelow(folder, isIndex, notes);
  if (indices) return indices;
  return shardsBelow(folder, notes);
}

/// A server is asked only about a path that looks like a folder.
bool isMdsFolder(const fs::path& path) {
  const std::string name = path.filename().native();
  if (isRemotePath(path.native()) && (name.ends_with(".json") || isMdsFileName(name))) return false;
  // A web server lists no folders, but one may have an index.
  return isFolderAt(path) || (isRemotePath(path.native()) && isFileAt(pathIn(path, "index.json")));
}

}  // namespace

bool isMdsFileName(std::string_view name) {
  const std::string_view compression = mdsCompressionOf(name);
  if (!compression.empty()) name.remove_suffix(compression.size() + 1);
  return name.ends_with(".mds");
}

Result<std::unique_ptr<MdsDataSet>> MdsDataSet::open(const std::vector<std::string>& paths,
                                                     const fs::path& base,
                                                     std::vector<std::string>& notes,
                                                     MdsOpening opening) {
  if (paths.empty()) return resolveDataPath("", base).error();
  auto set = std::make_unique<MdsDataSet>(opening);
  for (; set->m_entry < paths.size(); ++set->m_entry) {
    MILLRACE_ASSIGN_OR_RETURN(const auto names, namesMeant(paths[set->m_entry], base));
    for (const std::string& name : names) {
      const auto path = resolveDataPath(name, base);
      if (!path) return path.error();
      MILLRACE_ASSIGN_OR_RETURN(const auto files, isMdsFolder(*path)
                                                      ? filesOf(*path, notes)
                                                      : std::vector<fs::path>{*path});
      MILLRACE_TRY(set->addFiles(files, notes));
    }
  }
  if (set->size() == 0)
    return Error{fmt::format("there are no samples in `{}`", validUtf8(paths.front()))};
  set->notePacked(notes);
  if (opening.checkHashes) set->noteHashes(notes);
  return set;
}

Status MdsDataSet::addFiles(const std::vector<fs::path>& files, std::vector<std::string>& notes) {
  std::vector<fs::path> shards;
  for (const fs::path& file : files) {
    if (file.extension() == ".json")
      MILLRACE_TRY(addIndex(file, notes));
    else
      shards.push_back(file);
  }
  return addShards(shards, notes);
}

/// Adds shards without an index. Those that cannot be read are left out if others can be.
Status MdsDataSet::addShards(const std::vector<fs::path>& files, std::vector<std::string>& notes) {
  std::vector<std::string> faults;
  for (const fs::path& file : files)
    if (const Status added = addShard(file); !added) faults.push_back(added.error().message);
  if (faults.empty()) return {};
  if (faults.size() == files.size()) return Error{faults.front()};
  notes.push_back(fmt::format("{} of {} shards cannot be read and {} left out; first: {}",
                              grouped(faults.size()), grouped(files.size()),
                              faults.size() == 1 ? "is" : "are", faults.front()));
  return {};
}

/// Adds the shards next to an index that lists none.
Status MdsDataSet::addUnlisted(const fs::path& index, const std::string& fault,
                               std::vector<std::string>& notes) {
  const auto shards = shardsBelow(index.parent_path(), notes);
  if (!shards)
    return inFile(index, fault + ", and there is no shard next to it; copy the data set again");
  if (const Status added = addShards(*shards, notes); !added)
    return inFile(index, fault + "; " + added.error().message);
  notes.push_back(fmt::format("{}: {}; the {} shards next to it are read without an index",
                              validUtf8(index.native()), fault, grouped(shards->size())));
  return {};
}

Status MdsDataSet::addIndex(const fs::path& file, std::vector<std::string>& notes) {
  const auto text = wholeText(file);
  if (!text) return inFile(file, text.error().message);
  auto index = parseMdsIndex(*text);
  if (!index && !listsMdsShards(*text))
    return addUnlisted(file, text->empty() ? "it is empty" : index.error().message, notes);
  if (!index) return inFile(file, index.error().message);
  MILLRACE_TRY(takeColumns(std::move(index->columns), file));
  Differences differences;
  for (const MdsShardEntry& entry : index->shards)
    MILLRACE_TRY(isRemotePath(file.native()) ? addRemoteEntry(folderOf(file), entry)
                                             : addEntry(file.parent_path(), entry, differences));
  const auto shards = [&](const std::vector<std::string>& names) {
    return fmt::format("{} of its {} shards {}", grouped(names.size()),
                       grouped(index->shards.size()), names.size() == 1 ? "is" : "are");
  };
  const auto& [missing, samples, resized] = differences;
  if (!resized.empty())
    notes.push_back(fmt::format(
        "{}: {} not as large as it says (first: {}): the samples that they do not have fail; "
        "without the index, exactly what the shards have is read",
        validUtf8(file.native()), shards(resized), validUtf8(resized.front())));
  if (missing.empty()) return {};
  const std::string words =
      fmt::format("{} missing (first: {})", shards(missing), validUtf8(missing.front()));
  if (missing.size() == index->shards.size()) return inFile(file, words);
  notes.push_back(fmt::format("{}: {}: {} samples left out", validUtf8(file.native()), words,
                              grouped(samples)));
  return {};
}

/// Adds the uncompressed shard if it exists, otherwise the compressed one.
Status MdsDataSet::addEntry(const fs::path& folder, const MdsShardEntry& entry,
                            Differences& differences) {
  auto slot = std::make_unique<Slot>();
  std::error_code ignored;
  slot->path = folder / entry.raw;
  slot->bytes = entry.bytes;
  slot->samples = entry.samples;
  slot->hashes = entry.rawHashes;
  if (!fs::exists(slot->path, ignored) && !entry.packed.empty()) {
    slot->path = folder / entry.packed;
    slot->compression = entry.compression;
    slot->hashes = entry.packedHashes;
    slot->unpackedHashes = entry.rawHashes;
  }
  if (!fs::exists(slot->path, ignored)) {
    differences.missing.push_back(slot->path.filename().native());
    differences.missingSamples += entry.samples;
    return {};
  }
  if (slot->compression.empty() && fs::file_size(slot->path, ignored) != slot->bytes)
    differences.resized.push_back(slot->path.filename().native());
  MILLRACE_TRY(checkCompression(slot->path, slot->compression));
  return add(std::move(slot));
}

/// Adds the compressed shard if the index lists one: writers leave only that at a server. Whether
/// it is there shows when it is read.
Status MdsDataSet::addRemoteEntry(const fs::path& folder, const MdsShardEntry& entry) {
  auto slot = std::make_unique<Slot>();
  const bool packed = !entry.packed.empty();
  slot->path = pathIn(folder, packed ? entry.packed : entry.raw);
  slot->bytes = entry.bytes;
  slot->samples = entry.samples;
  slot->hashes = packed ? entry.packedHashes : entry.rawHashes;
  if (packed) {
    slot->compression = entry.compression;
    slot->unpackedHashes = entry.rawHashes;
  }
  MILLRACE_TRY(checkCompression(slot->path, slot->compression));
  return add(std::move(slot));
}

/// Adds a shard without an index, whose header gives the same information.
Status MdsDataSet::addShard(const fs::path& file) {
  auto slot = std::make_unique<Slot>();
  slot->path = file;
  slot->compression = mdsCompressionOf(file.native());
  MILLRACE_TRY(checkCompression(file, slot->compression));
  auto opened = openSlot(*slot);
  if (!opened) return inFile(file, opened.error().message);
  auto columns = columnsOf(*opened);
  if (!columns) return inFile(file, columns.error().message);
  MILLRACE_TRY(takeColumns(columns.take(), file));
  slot->samples = opened->samples();
  {
    const MutexLock lock(slot->mutex);
    slot->opened = std::move(opened);
    slot->ready.store(&*slot->opened, std::memory_order_release);
  }
  return add(std::move(slot));
}

Status MdsDataSet::add(std::unique_ptr<Slot> slot) {
  const std::uint64_t total = std::uint64_t{m_starts.back()} + slot->samples;
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 samples; give fewer files"};
  m_starts.push_back(static_cast<std::uint32_t>(total));
  slot->entry = m_entry;
  m_slots.push_back(std::move(slot));
  return {};
}

Status MdsDataSet::takeColumns(std::vector<MdsColumn> columns, const fs::path& file) {
  if (m_columns.empty())
    m_columns = std::move(columns);
  else if (textOf(columns) != textOf(m_columns))
    return inFile(file, fmt::format("its columns are {}, but those of the first are {}",
                                    textOf(columns), textOf(m_columns)));
  return {};
}

void MdsDataSet::notePacked(std::vector<std::string>& notes) const {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  for (const auto& slot : m_slots) {
    if (slot->compression.empty()) continue;
    ++count;
    bytes += slot->bytes;
  }
  if (count == 0) return;
  notes.push_back(fmt::format(
      "{} of {} shards are compressed: each is decompressed into a temporary file when it is first "
      "read, at every start{}",
      grouped(count), grouped(m_slots.size()),
      bytes == 0 ? "" : fmt::format(" ({} in total)", humanBytes(static_cast<double>(bytes)))));
}

/// Notes about hashes that were to be checked but cannot be.
void MdsDataSet::noteHashes(std::vector<std::string>& notes) const {
  std::set<std::string> unknown;
  std::size_t unchecked = 0;
  for (const auto& slot : m_slots) {
    std::vector<FileHash> hashes = slot->hashes;
    hashes.insert(hashes.end(), slot->unpackedHashes.begin(), slot->unpackedHashes.end());
    const auto known = std::partition(hashes.begin(), hashes.end(),
                                      [](const FileHash& hash) { return !isKnownHash(hash.kind); });
    if (known == hashes.end()) ++unchecked;
    for (auto hash = hashes.begin(); hash != known; ++hash) unknown.insert(validUtf8(hash->kind));
  }
  if (!unknown.empty())
    notes.push_back(fmt::format("hashes of kind {} are not checked; only {} are",
                                join(std::vector(unknown.begin(), unknown.end()), ", "),
                                knownHashes()));
  if (unchecked > 0)
    notes.push_back(fmt::format("{} of {} shards have no hash that can be checked",
                                grouped(unchecked), grouped(m_slots.size())));
}

bool MdsDataSet::isCompressed() const {
  return std::ranges::any_of(m_slots, [](const auto& slot) { return !slot->compression.empty(); });
}

std::pair<std::size_t, std::uint32_t> MdsDataSet::find(std::uint32_t sample) const {
  const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), sample);
  const auto shard = static_cast<std::size_t>(after - m_starts.begin()) - 1;
  return {shard, sample - m_starts[shard]};
}

Result<MdsShard> MdsDataSet::openSlot(const Slot& slot) const {
  MILLRACE_ASSIGN_OR_RETURN(auto file, openForReading(slot.path));
  if (m_opening.checkHashes) MILLRACE_TRY(compareHashes(file, slot.hashes, m_opening.readBy));
  MILLRACE_ASSIGN_OR_RETURN(auto content,
                            unpackedMds(std::move(file), slot.compression,
                                        slot.bytes > 0 ? slot.bytes : kLargestMdsShard));
  if (m_opening.checkHashes) {
    const Status same = compareHashes(content, slot.unpackedHashes, m_opening.readBy);
    if (!same) return Error{"decompressed, " + same.error().message};
  }
  return openMdsShard(std::move(content));
}

Result<const MdsShard*> MdsDataSet::shard(std::size_t number) const {
  const Slot& slot = *m_slots[number];
  const Result<MdsShard>* ready = slot.ready.load(std::memory_order_acquire);
  if (ready == nullptr) {
    const MutexLock lock(slot.mutex);
    if (!slot.opened) {
      slot.opened = openSlot(slot);
      slot.ready.store(&*slot.opened, std::memory_order_release);
    }
    ready = &*slot.opened;
  }
  if (!ready->ok()) return ready->error();
  return &ready->value();
}

}  // namespace millrace
