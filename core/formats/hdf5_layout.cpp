// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5_layout.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/range_reader.h"

namespace millrace {

namespace {

constexpr std::uint64_t kLargestHdf5Row = RangeReader::kLargest;
/// A reader keeps so much unpacked; the library unpacks what is larger.
constexpr std::uint64_t kLargestHdf5Band = std::uint64_t{1} << 28U;
constexpr std::uint64_t kMostHdf5Chunks = std::uint64_t{1} << 24U;

/// What an element of a dataset is.
struct Hdf5Element {
  DType dtype = DType::U8;
  std::vector<std::uint64_t> axes;  ///< of its own: strings of fixed length, arrays
  bool variable = false;
  bool wide = false;
  bool straight = true;  ///< lies in the file as it does in memory
  std::string whyNot;
};

Hdf5Element unreadable(std::string_view what) {
  Hdf5Element element;
  element.whyNot = what;
  return element;
}

Hdf5Element integerElement(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  if (H5Tget_precision(type) != 8 * bytes) return unreadable("whole numbers with bits to spare");
  const bool isSigned = H5Tget_sign(type) != H5T_SGN_NONE;
  Hdf5Element element;
  switch (bytes) {
    case 1: element.dtype = isSigned ? DType::I8 : DType::U8; break;
    case 2: element.dtype = isSigned ? DType::I16 : DType::U16; break;
    case 4: element.dtype = isSigned ? DType::I32 : DType::I64; break;
    case 8: element.dtype = DType::I64; break;
    default: return unreadable(fmt::format("whole numbers of {} bytes", bytes));
  }
  element.wide = bytes == 8 && !isSigned;
  element.straight = bytes < 4 || isSigned;
  if (bytes > 1 && H5Tget_order(type) != H5T_ORDER_LE) element.straight = false;
  return element;
}

Hdf5Element realElement(hid_t type) {
  struct Known {
    std::size_t bytes;
    std::size_t exponent;  ///< bits
    std::size_t mantissa;  ///< bits
    DType dtype;
  };
  constexpr std::array<Known, 4> kKnown = {{{2, 5, 10, DType::F16},
                                            {2, 8, 7, DType::BF16},
                                            {4, 8, 23, DType::F32},
                                            {8, 11, 52, DType::F64}}};
  std::size_t sign = 0;
  std::size_t exponentAt = 0;
  std::size_t exponent = 0;
  std::size_t mantissaAt = 0;
  std::size_t mantissa = 0;
  H5Tget_fields(type, &sign, &exponentAt, &exponent, &mantissaAt, &mantissa);
  for (const Known& known : kKnown) {
    if (known.bytes != H5Tget_size(type) || known.exponent != exponent ||
        known.mantissa != mantissa)
      continue;
    Hdf5Element element;
    element.dtype = known.dtype;
    element.straight = H5Tget_order(type) == H5T_ORDER_LE;
    return element;
  }
  return unreadable(fmt::format("real numbers of {} bytes", H5Tget_size(type)));
}

/// Bytes that are no numbers: strings of fixed length, opaque ones.
Hdf5Element bytesElement(hid_t type) {
  Hdf5Element element;
  element.axes = {H5Tget_size(type)};
  return element;
}

Hdf5Element elementOf(hid_t type);

Hdf5Element arrayElement(hid_t type) {
  const Hdf5Id base(H5Tget_super(type), H5Tclose);
  Hdf5Element element = elementOf(base.get());
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  const int rank = H5Tget_array_dims2(type, sizes.data());
  if (rank < 0 || element.variable) return unreadable("arrays of runs");
  element.axes.insert(element.axes.begin(), sizes.begin(), sizes.begin() + rank);
  return element;
}

Hdf5Element runElement(hid_t type) {
  const Hdf5Id base(H5Tget_super(type), H5Tclose);
  Hdf5Element element = elementOf(base.get());
  if (!element.whyNot.empty()) return element;
  if (element.variable || !element.axes.empty()) return unreadable("runs of runs");
  element.variable = true;
  element.straight = element.dtype == DType::U8 || element.dtype == DType::I8;
  if (element.straight) element.dtype = DType::Encoded;
  return element;
}

Hdf5Element elementOf(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return integerElement(type);
    case H5T_FLOAT: return realElement(type);
    case H5T_OPAQUE: return bytesElement(type);
    case H5T_ARRAY: return arrayElement(type);
    case H5T_VLEN: return runElement(type);
    case H5T_ENUM: {
      const Hdf5Id base(H5Tget_super(type), H5Tclose);
      return elementOf(base.get());
    }
    case H5T_STRING: {
      if (H5Tis_variable_str(type) <= 0) return bytesElement(type);
      Hdf5Element element;
      element.dtype = DType::Encoded;
      element.variable = true;
      return element;
    }
    case H5T_COMPOUND: return unreadable("records of several numbers (compound)");
    case H5T_REFERENCE: return unreadable("references");
    case H5T_BITFIELD: return unreadable("bit fields");
    default: return unreadable("elements of a type that is not known");
  }
}

/// Appends axes; says what stands against them.
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
       {32000, "LZF"},
       {32001, "Blosc"},
       {32004, "LZ4"},
       {32008, "bitshuffle"},
       {32015, "Zstandard"}}};
  for (const auto& [known, name] : kNames)
    if (known == id) return fmt::format("{} (number {})", name, id);
  return fmt::format("{} (number {})", stored.empty() ? "of no name" : validUtf8(stored), id);
}

/// False where one is not ours; `whyNot` names one that the library has not either.
bool takeFilters(hid_t creation, std::vector<Hdf5Filter>& filters, std::string& whyNot) {
  bool ours = true;
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::array<unsigned, 8> values{};
    std::size_t valueCount = values.size();
    std::array<char, 64> name{};
    const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &valueCount,
                                           values.data(), name.size() - 1, name.data(), nullptr);
    if (id == H5Z_FILTER_DEFLATE) {
      filters.push_back({Hdf5Filter::Kind::Deflate, 1});
    } else if (id == H5Z_FILTER_SHUFFLE && valueCount > 0 && values[0] > 0) {
      filters.push_back({Hdf5Filter::Kind::Shuffle, values[0]});
    } else if (id == H5Z_FILTER_FLETCHER32) {
      filters.push_back({Hdf5Filter::Kind::Fletcher32, 1});
    } else {
      ours = false;
      if (id < 0 || H5Zfilter_avail(id) <= 0)
        whyNot = fmt::format(
            "its filter {} is not there: install the plugin of it for HDF5 and set "
            "HDF5_PLUGIN_PATH, or write it anew with gzip or without a filter",
            filterName(id, name.data()));
    }
  }
  return ours && count >= 0;
}

/// Asks for every chunk; false where one was never written, or the library cannot tell.
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

/// Whether the chunks can be read without the library.
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
    set.whyNot = fmt::format("its data should lie at byte {} of a file of {}", grouped(offset),
                             grouped(fileBytes));
    return;
  }
  set.access = Hdf5Dataset::Access::Straight;
  set.offset = offset;
  const std::uint64_t there = (fileBytes - offset) / set.rowBytes();
  if (there >= set.rows) return;
  set.note =
      fmt::format("cut short: {} of its {} samples are there", grouped(there), grouped(set.rows));
  set.rows = there;
}

/// Where the rows lie.
void takePlaces(hid_t set, Hdf5Dataset& to, const Hdf5Element& element, std::uint64_t fileBytes,
                bool plain) {
  const Hdf5Id creation(H5Dget_create_plist(set), H5Pclose);
  const bool ours = element.straight && plain;
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout == H5D_CONTIGUOUS && ours && H5Pget_external_count(creation.get()) == 0) {
    const haddr_t offset = H5Dget_offset(set);
    if (offset != HADDR_UNDEF) takeStraight(to, offset, fileBytes);
  } else if (layout == H5D_CHUNKED) {
    const bool known = takeFilters(creation.get(), to.chunks.filters, to.whyNot);
    if (ours && known && to.whyNot.empty() && takeChunks(set, creation.get(), to.chunks))
      to.access = Hdf5Dataset::Access::Chunks;
  } else if (layout < 0) {
    to.whyNot = "its layout is damaged: " + hdf5Reason();
  }
}

}  // namespace

Hdf5Dataset hdf5DatasetOf(hid_t set, std::uint64_t fileBytes, bool plain) {
  Hdf5Dataset to;
  const Hdf5Id space(H5Dget_space(set), H5Sclose);
  const Hdf5Id type(H5Dget_type(set), H5Tclose);
  std::array<hsize_t, H5S_MAX_RANK> axes{};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank <= 0 || H5Sget_simple_extent_dims(space.get(), axes.data(), nullptr) != rank) {
    to.whyNot = rank == 0 ? "a single value" : "damaged: " + hdf5Reason();
    return to;
  }
  const Hdf5Element element = elementOf(type.get());
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
    if (rank > 1) to.whyNot = "several runs a sample";
    to.row = {Shape::kUnknown};
  } else {
    std::uint64_t bytes = sizeOf(to.dtype);
    to.whyNot = addAxes(to.row, std::span(to.chunks.axes).subspan(1), bytes);
    if (to.whyNot.empty()) to.whyNot = addAxes(to.row, element.axes, bytes);
  }
  if (to.whyNot.empty()) takePlaces(set, to, element, fileBytes, plain);
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

Hdf5Id hdf5MemoryType(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_ENUM || kind == H5T_VLEN || kind == H5T_ARRAY) {
    const Hdf5Id super(H5Tget_super(type), H5Tclose);
    Hdf5Id base = hdf5MemoryType(super.get());
    if (kind == H5T_ENUM) return base;
    if (kind == H5T_VLEN) return {H5Tvlen_create(base.get()), H5Tclose};
    std::array<hsize_t, H5S_MAX_RANK> sizes{};
    const int rank = H5Tget_array_dims2(type, sizes.data());
    return {H5Tarray_create2(base.get(), static_cast<unsigned>(rank), sizes.data()), H5Tclose};
  }
  if (kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE && H5Tget_size(type) >= 4)
    return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose};
  Hdf5Id copy(H5Tcopy(type), H5Tclose);
  if (kind == H5T_INTEGER || kind == H5T_FLOAT) H5Tset_order(copy.get(), H5T_ORDER_LE);
  return copy;
}

}  // namespace millrace
