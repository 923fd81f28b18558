// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_layout.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/hdf5/hdf5_element.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

namespace {

constexpr std::uint64_t kLargestHdf5Row = RangeReader::kLargest;
/// Larger bands are read through the library, since a reader keeps a decoded band in memory.
constexpr std::uint64_t kLargestHdf5Band = std::uint64_t{1} << 28U;
constexpr std::uint64_t kMostHdf5Chunks = std::uint64_t{1} << 24U;
/// Number of LZF among the HDF Group's registered filters.
constexpr H5Z_filter_t kHdf5Lzf = 32000;

/// Appends axes; returns why they are not supported, or an empty text.
std::string addAxes(Shape& shape, std::span<const std::uint64_t> axes, std::uint64_t& bytes) {
  for (const std::uint64_t size : axes) {
    if (shape.rank() == Shape::kMaxRank)
      return fmt::format("more than {} axes", Shape::kMaxRank + 1);
    if (size == 0) return "empty samples";
    if (size > kLargestHdf5Row || bytes * size > kLargestHdf5Row)
      return "samples of more than 1 GiB";
    bytes *= size;
    shape.append(static_cast<std::int64_t>(size));
  }
  return {};
}

std::string filterName(H5Z_filter_t id, std::string_view stored) {
  constexpr std::array<std::pair<H5Z_filter_t, std::string_view>, 8> kNames = {
      {{H5Z_FILTER_SZIP, "szip"},
       {H5Z_FILTER_NBIT, "n-bit"},
       {H5Z_FILTER_SCALEOFFSET, "scale-offset"},
       {kHdf5Lzf, "LZF"},
       {32001, "Blosc"},
       {32004, "LZ4"},
       {32008, "bitshuffle"},
       {32015, "Zstandard"}}};
  for (const auto& [known, name] : kNames)
    if (known == id) return fmt::format("{} (number {})", name, id);
  return fmt::format("{} (number {})", stored.empty() ? "of no name" : validUtf8(stored), id);
}

/// The message about a filter that the library lacks.
std::string filterIsMissing(H5Z_filter_t id, std::string_view stored) {
  return fmt::format(
      "its filter {} {}: install its HDF5 plugin and set HDF5_PLUGIN_PATH, or write the dataset "
      "again with gzip or without a filter",
      filterName(id, stored),
      id == kHdf5Lzf ? "is supported only if all chunks were written and elements are stored as "
                       "in this machine's memory, which is not the case here"
                     : "is not installed");
}

/// Returns false if a filter cannot be decoded here; `missing` describes one that the library
/// lacks.
bool takeFilters(hid_t creation, std::vector<Hdf5Filter>& filters, std::string& missing) {
  bool ours = true;
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::array<unsigned, 8> values{};
    std::size_t valueCount = values.size();
    std::array<char, 64> name{};
    const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &valueCount,
                                           values.data(), name.size() - 1, name.data(), nullptr);
    if (id == H5Z_FILTER_DEFLATE)
      filters.push_back({Hdf5Filter::Kind::Deflate, 1});
    else if (id == H5Z_FILTER_SHUFFLE && valueCount > 0 && values[0] > 0)
      filters.push_back({Hdf5Filter::Kind::Shuffle, values[0]});
    else if (id == H5Z_FILTER_FLETCHER32)
      filters.push_back({Hdf5Filter::Kind::Fletcher32, 1});
    else if (id == kHdf5Lzf)
      filters.push_back({Hdf5Filter::Kind::Lzf, 1});
    else
      ours = false;
    const bool there = id >= 0 && H5Zfilter_avail(id) > 0;
    // Report a filter that nothing supports rather than LZF.
    if (!there && (missing.empty() || id != kHdf5Lzf)) missing = filterIsMissing(id, name.data());
  }
  return ours && count >= 0;
}

/// Locates every chunk; false if one was never written, or the library fails.
bool listChunks(hid_t set, Hdf5Chunks& chunks, std::uint64_t total) {
  std::array<hsize_t, H5S_MAX_RANK> place{};
  chunks.list.reserve(total);
  for (std::uint64_t i = 0; i < total; ++i) {
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(set, place.data(), &skipped, &address, &bytes) < 0 ||
        address == HADDR_UNDEF || bytes == 0 || bytes > kLargestHdf5Row)
      return false;
    chunks.list.push_back({address, static_cast<std::uint32_t>(bytes), skipped});
    for (std::size_t axis = chunks.axes.size(); axis-- > 0;) {
      place[axis] += chunks.sides[axis];
      if (place[axis] < chunks.axes[axis] || axis == 0) break;
      place[axis] = 0;
    }
  }
  return true;
}

/// Returns true if the chunks can be read without the library.
bool takeChunks(hid_t set, hid_t creation, Hdf5Chunks& chunks) {
  std::array<hsize_t, H5S_MAX_RANK> sides{};
  const auto rank = static_cast<int>(chunks.axes.size());
  if (H5Pget_chunk(creation, rank, sides.data()) != rank) return false;
  std::uint64_t chunkBytes = chunks.elementBytes;
  std::uint64_t total = 1;
  std::uint64_t perBand = 1;
  for (std::size_t i = 0; i < chunks.axes.size(); ++i) {
    if (sides[i] == 0 || sides[i] > kLargestHdf5Band) return false;
    const std::uint64_t count = (chunks.axes[i] + sides[i] - 1) / sides[i];
    chunkBytes *= sides[i];
    if (count > kMostHdf5Chunks || chunkBytes > kLargestHdf5Band) return false;
    total *= count;
    if (i > 0) perBand *= count;
    if (total > kMostHdf5Chunks || perBand * chunkBytes > kLargestHdf5Band) return false;
    chunks.sides.push_back(sides[i]);
    chunks.counts.push_back(count);
  }
  return listChunks(set, chunks, total);
}

void takeStraight(Hdf5Dataset& set, haddr_t offset, std::uint64_t fileBytes) {
  if (offset > fileBytes) {
    set.whyNot = fmt::format("its data should start at byte {}, but the file has {}",
                             grouped(offset), grouped(fileBytes));
    return;
  }
  set.access = Hdf5Dataset::Access::Straight;
  set.offset = offset;
  const std::uint64_t there = (fileBytes - offset) / set.rowBytes();
  if (there >= set.rows) return;
  set.note =
      fmt::format("truncated: {} of its {} samples are there", grouped(there), grouped(set.rows));
  set.rows = there;
}

/// Why rows that are stored elsewhere are not read; empty if they are in this file. For a missing
/// file the library would return the fill value without an error.
std::string rowsElsewhere(hid_t creation, const std::string& name) {
  std::string_view where;
  if (H5Pget_layout(creation) == H5D_VIRTUAL)
    where = "virtual: its samples are in other datasets, which are not followed";
  else if (H5Pget_external_count(creation) > 0)
    where = "external storage: its samples are in other files, which are not opened";
  else
    return {};
  return fmt::format(
      "its layout is {0}; write it again as a plain dataset, with h5repack -l {1}:CONTI OLD NEW or "
      "with h5py, as new[\"{1}\"] = old[\"{1}\"][()]",
      where, validUtf8(name));
}

/// Determines where the rows are.
void takePlaces(hid_t set, hid_t creation, Hdf5Dataset& to, const Hdf5Element& element,
                std::uint64_t fileBytes, bool plain) {
  const bool ours = element.straight && plain;
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_CONTIGUOUS && ours) {
    const haddr_t offset = H5Dget_offset(set);
    if (offset != HADDR_UNDEF) takeStraight(to, offset, fileBytes);
  } else if (layout == H5D_CHUNKED) {
    std::string missing;
    const bool known = takeFilters(creation, to.chunks.filters, missing);
    if (ours && known && takeChunks(set, creation, to.chunks))
      to.access = Hdf5Dataset::Access::Chunks;
    else
      to.whyNot = std::move(missing);
  } else if (layout < 0) {
    to.whyNot = "its layout is damaged: " + hdf5Reason();
  }
}

}  // namespace

Hdf5Dataset hdf5DatasetOf(hid_t set, std::string name, std::uint64_t fileBytes, bool plain) {
  Hdf5Dataset to;
  to.name = std::move(name);
  // First, because asking for the axes of a virtual dataset may open others.
  const Hdf5Id creation(H5Dget_create_plist(set), H5Pclose);
  to.whyNot = rowsElsewhere(creation.get(), to.name);
  if (!to.whyNot.empty()) return to;
  const Hdf5Id space(H5Dget_space(set), H5Sclose);
  const Hdf5Id type(H5Dget_type(set), H5Tclose);
  std::array<hsize_t, H5S_MAX_RANK> axes{};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank <= 0 || H5Sget_simple_extent_dims(space.get(), axes.data(), nullptr) != rank) {
    to.whyNot = rank == 0 ? "a single value" : "damaged: " + hdf5Reason();
    return to;
  }
  const Hdf5Element element = hdf5ElementOf(type.get());
  to.rows = axes[0];
  to.dtype = element.dtype;
  to.wide = element.wide;
  to.variable = element.variable;
  to.whyNot = element.whyNot;
  if (to.whyNot.empty() && to.rows == 0) to.whyNot = "no samples";
  if (!to.whyNot.empty()) return to;
  to.chunks.axes.assign(axes.begin(), axes.begin() + rank);
  to.chunks.elementBytes = sizeOf(to.dtype);
  for (const std::uint64_t size : element.axes) to.chunks.elementBytes *= size;
  if (to.variable) {
    to.chunks.elementBytes = Hdf5Run::kStored;
    if (rank > 1) to.whyNot = "several variable-length runs per sample";
    to.row = {Shape::kUnknown};
  } else {
    std::uint64_t bytes = sizeOf(to.dtype);
    to.whyNot = addAxes(to.row, std::span(to.chunks.axes).subspan(1), bytes);
    if (to.whyNot.empty()) to.whyNot = addAxes(to.row, element.axes, bytes);
  }
  if (to.whyNot.empty()) takePlaces(set, creation.get(), to, element, fileBytes, plain);
  return to;
}

bool hdf5IsPlain(hid_t file) {
  const Hdf5Id creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t userBlock = 0;
  std::size_t offsetBytes = 0;
  std::size_t lengthBytes = 0;
  return H5Pget_userblock(creation.get(), &userBlock) >= 0 && userBlock == 0 &&
         H5Pget_sizes(creation.get(), &offsetBytes, &lengthBytes) >= 0 && offsetBytes == 8 &&
         lengthBytes == 8;
}

}  // namespace millrace
