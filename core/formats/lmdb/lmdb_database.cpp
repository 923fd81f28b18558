// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lmdb_database.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/io/data_place.h"
#include "core/formats/lmdb/caffe_datum.h"

namespace millrace {

namespace {

/// Number of values that are examined to determine their type.
constexpr std::size_t kLookedAt = 64;
/// A writer may be in the middle of a commit.
constexpr int kTries = 3;

/// What programs write besides pictures and arrays; empty: unknown.
std::string formOf(std::span<const std::byte> value) {
  const std::string_view text(reinterpret_cast<const char*>(value.data()), value.size());
  constexpr std::string_view kNpy("\x93NUMPY", 6);
  if (text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5)
    return "Python objects (pickle)";
  if (text.starts_with(kNpy)) return "NumPy files (.npy)";
  if (trimmed(text).starts_with('{')) return "JSON objects";
  return {};
}

void add(LmdbProbe& probe, std::uint32_t record, std::span<const std::byte> value) {
  if (probe.seen++ == 0) probe.size = value.size();
  probe.sameSize = probe.sameSize && probe.size == value.size();
  if (usualExtension(value) != "bin") {
    if (probe.pictures++ == 0) probe.picture = record;
  } else if (!probe.noPicture) {
    probe.noPicture = record;
    probe.other = formOf(value);
  }
  const auto datum = parseDatum(value);
  if (!datum && !probe.noDatum) probe.noDatum = record;
  if (!datum) return;
  if (probe.datums++ == 0) probe.encoded = datum->encoded;
  const Shape found{datum->height, datum->width, datum->channels};
  probe.sameShape = probe.sameShape && (!probe.shape || *probe.shape == found);
  probe.shape = found;
}

/// If the file has grown meanwhile, lists it up to its new end.
Status list(LmdbDatabase& base, const std::string& named) {
  MILLRACE_TRY(needsDisk(base.file.path, "LMDB databases"));
  Status listed;
  for (int i = 0; i < kTries; ++i) {
    MILLRACE_ASSIGN_OR_RETURN(base.file.file, openForReading(base.file.path));
    MILLRACE_ASSIGN_OR_RETURN(const auto snapshot, openLmdb(base.fd(), base.file.file.size));
    base.snapshot = snapshot;
    auto listing = listLmdb(base.fd(), base.file.file.size, base.snapshot, named);
    if (listing) {
      base.listing = listing.take();
      return {};
    }
    listed = listing.error();
  }
  return listed;
}

}  // namespace

bool isLmdbFileName(std::string_view name) { return name.ends_with(".mdb") && name != "lock.mdb"; }

std::string LmdbDatabase::name() const {
  const std::filesystem::path& path = file.path;
  return path.filename() == "data.mdb" ? path.parent_path().filename().native() : file.name();
}

std::string LmdbDatabase::keyText(std::uint32_t record) const {
  const std::string_view key = listing.key(record);
  const bool text = std::all_of(key.begin(), key.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != 127;
  });
  return text && !key.empty() ? std::string(key) : std::to_string(record);
}

Result<LmdbDatabase> openLmdbDatabase(const std::filesystem::path& path, const LmdbOpening& opening,
                                      std::vector<std::string>& notes) {
  const auto inFile = [&](const std::string& message) {
    return Error{fmt::format("`{}`: {}", validUtf8(path.native()), message)};
  };
  LmdbDatabase base;
  base.file.path = path;
  if (Status listed = list(base, opening.named); !listed) return inFile(listed.error().message);
  if (base.listing.size() > std::numeric_limits<std::uint32_t>::max())
    return inFile("more than 4 294 967 295 samples");
  JunkCount junk;
  for (std::uint32_t i = 0; i < base.listing.size(); ++i)
    if (opening.junk == Junk::Skip && isJunkRecord(base.listing.key(i)))
      junk.add(base.listing.key(i));
    else
      base.records.push_back(i);
  if (junk.count() > 0) notes.push_back(validUtf8(base.name()) + ": " + junk.note(kKeepJunk));
  for (const std::string& note : base.listing.notes())
    notes.push_back(validUtf8(base.name()) + ": " + note);
  if (base.records.empty() && !base.listing.databases().empty())
    return inFile("it contains named databases; give `database=NAME` with one of " +
                  validUtf8(join(base.listing.databases(), ", ")));
  if (base.records.empty())
    return inFile(base.listing.notes().empty() ? "it is empty" : base.listing.notes().front());
  return base;
}

LmdbProbe probeLmdb(const LmdbDatabase& base) {
  LmdbProbe probe;
  RangeReader reader;
  ReadCounters counters;
  const std::size_t count = std::min(base.records.size(), kLookedAt);
  for (std::size_t i = 0; i < count; ++i) {
    // An odd distance: with an even one, every value could be a label between two pictures.
    const std::size_t place = i * base.records.size() / count + (count == kLookedAt ? i % 2 : 0);
    const std::uint32_t record = base.records[std::min(place, base.records.size() - 1)];
    const auto value =
        readLmdbValue(reader, base.fd(), base.snapshot, base.listing.place(record), counters);
    if (value) add(probe, record, *value);
  }
  return probe;
}

}  // namespace millrace
