// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_assembly.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/hdf5/hdf5_library.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// The place in the file for the rows of a contiguous dataset.
struct Hdf5Room {
  const fs::path* rows = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

Error hdf5NotWritten(const fs::path& target) {
  return Error{fmt::format("cannot write {}: {}", validUtf8(target.native()), hdf5Reason())};
}

/// A 16-bit floating-point type; the library predefines none.
Hdf5Id halfType(std::size_t exponentBits, std::size_t mantissaBits, std::size_t bias) {
  Hdf5Id type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type.get(), 15, mantissaBits, exponentBits, 0, mantissaBits);
  H5Tset_size(type.get(), 2);
  H5Tset_ebias(type.get(), bias);
  return type;
}

Hdf5Id hdf5FileType(DType dtype) {
  switch (dtype) {
    case DType::U8: return {H5Tcopy(H5T_STD_U8LE), H5Tclose};
    case DType::I8: return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
    case DType::U16: return {H5Tcopy(H5T_STD_U16LE), H5Tclose};
    case DType::I16: return {H5Tcopy(H5T_STD_I16LE), H5Tclose};
    case DType::I32: return {H5Tcopy(H5T_STD_I32LE), H5Tclose};
    case DType::I64: return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case DType::F16: return halfType(5, 10, 15);
    case DType::BF16: return halfType(8, 7, 127);
    case DType::F32: return {H5Tcopy(H5T_IEEE_F32LE), H5Tclose};
    case DType::F64: return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case DType::Encoded: break;
  }
  return {H5Tvlen_create(H5T_STD_U8LE), H5Tclose};
}

std::uint64_t rowBytesOf(const Hdf5Part& part) {
  return static_cast<std::uint64_t>(part.field.shape.elements()) * sizeOf(part.field.dtype);
}

bool isPacked(const Hdf5Part& part, std::uint64_t rows, const Hdf5Form& form) {
  return form.gzip > 0 && rows > 0 && part.field.dtype != DType::Encoded &&
         part.field.role != Role::Label;
}

hsize_t rowsOfChunk(const Hdf5Part& part, std::uint64_t rows) {
  const std::uint64_t most = kHdf5ChunkBytes / std::max<std::uint64_t>(1, rowBytesOf(part));
  return std::clamp<std::uint64_t>(most, 1, rows);
}

/// Stores no times, so that the same samples give the same file.
Hdf5Id makeDataset(hid_t file, const Hdf5Part& part, std::uint64_t rows, const Hdf5Form& form) {
  const bool encoded = part.field.dtype == DType::Encoded;
  std::vector<hsize_t> sizes{rows};
  if (!encoded) sizes.insert(sizes.end(), part.field.shape.begin(), part.field.shape.end());
  const Hdf5Id space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                     H5Sclose);
  const Hdf5Id type = hdf5FileType(part.field.dtype);
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);
  if (isPacked(part, rows, form)) {
    std::vector<hsize_t> chunk = sizes;
    chunk.front() = rowsOfChunk(part, rows);
    H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    if (sizeOf(part.field.dtype) > 1) H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), static_cast<unsigned>(form.gzip));
  } else {
    H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
    if (!encoded) {
      H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
      H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    }
  }
  return {H5Dcreate2(file, part.field.name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                     creation.get(), H5P_DEFAULT),
          H5Dclose};
}

/// Reads a part's file sequentially.
class PartReader {
 public:
  static Result<PartReader> open(const fs::path& path) {
    auto file = openForReading(path);
    if (!file) return Error{fmt::format("`{}`: {}", path.native(), file.error().message)};
    PartReader reader;
    reader.m_file = file.take();
    return reader;
  }
  std::uint64_t size() const { return m_file.size; }
  /// Reads the next `bytes` bytes.
  Status next(void* to, std::size_t bytes) {
    MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(m_file.fd.get(), m_at, to, bytes));
    if (got < bytes) return Error{"a file that was just written is truncated"};
    m_at += bytes;
    return {};
  }

 private:
  OpenFile m_file;
  std::uint64_t m_at = 0;
};

/// The rows of one write call.
struct RunBlock {
  std::vector<std::uint64_t> lengths;
  std::vector<unsigned char> bytes;
  std::vector<hvl_t> runs;

  Status read(PartReader& rows, PartReader& sizes, std::size_t count) {
    lengths.resize(count);
    MILLRACE_TRY(sizes.next(lengths.data(), count * sizeof lengths.front()));
    std::size_t total = 0;
    for (const std::uint64_t length : lengths) total += length;
    bytes.resize(total);
    MILLRACE_TRY(rows.next(bytes.data(), total));
    runs.clear();
    unsigned char* at = bytes.data();
    for (const std::uint64_t length : lengths) {
      runs.push_back({length, at});
      at += length;
    }
    return {};
  }
};

Status writeRuns(hid_t set, const Hdf5Part& part, std::uint64_t rows, const fs::path& target) {
  constexpr std::uint64_t kRowsAtOnce = 64;
  MILLRACE_ASSIGN_OR_RETURN(auto values, PartReader::open(part.rows));
  MILLRACE_ASSIGN_OR_RETURN(auto lengths, PartReader::open(part.lengths));
  const Hdf5Id type(H5Tvlen_create(H5T_NATIVE_UINT8), H5Tclose);
  const Hdf5Id space(H5Dget_space(set), H5Sclose);
  RunBlock block;
  for (hsize_t first = 0; first < rows; first += kRowsAtOnce) {
    const hsize_t count = std::min<std::uint64_t>(kRowsAtOnce, rows - first);
    MILLRACE_TRY(block.read(values, lengths, count));
    const Hdf5Id memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &count, nullptr);
    if (H5Dwrite(set, type.get(), memory.get(), space.get(), H5P_DEFAULT, block.runs.data()) < 0)
      return hdf5NotWritten(target);
  }
  return {};
}

/// Writes compressed rows through the library, one chunk at a time.
Status writePacked(hid_t set, const Hdf5Part& part, std::uint64_t rows, const fs::path& target) {
  MILLRACE_ASSIGN_OR_RETURN(auto values, PartReader::open(part.rows));
  const Hdf5Id type(H5Dget_type(set), H5Tclose);
  const Hdf5Id space(H5Dget_space(set), H5Sclose);
  std::vector<hsize_t> begin(part.field.shape.rank() + 1, 0);
  std::vector<hsize_t> sizes{rowsOfChunk(part, rows)};
  sizes.insert(sizes.end(), part.field.shape.begin(), part.field.shape.end());
  std::vector<std::byte> piece(sizes.front() * rowBytesOf(part));
  for (; begin.front() < rows; begin.front() += sizes.front()) {
    sizes.front() = std::min<hsize_t>(sizes.front(), rows - begin.front());
    MILLRACE_TRY(values.next(piece.data(), sizes.front() * rowBytesOf(part)));
    const Hdf5Id memory(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                        H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin.data(), nullptr, sizes.data(), nullptr);
    if (H5Dwrite(set, type.get(), memory.get(), space.get(), H5P_DEFAULT, piece.data()) < 0)
      return hdf5NotWritten(target);
  }
  return {};
}

/// Stores the names as a list of UTF-8 texts, as h5py's `attrs` reads them; with a fixed length, so
/// that they are in the attribute itself. Without effect if they are too many for an attribute.
bool nameClasses(hid_t labels, const std::vector<std::string>& classes) {
  constexpr std::size_t kMostBytes = 60000;
  std::size_t longest = 1;
  for (const std::string& name : classes) longest = std::max(longest, name.size());
  if (classes.empty() || longest > kMostBytes / classes.size()) return true;
  std::string texts;
  for (const std::string& name : classes) texts += name + std::string(longest - name.size(), '\0');
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), longest);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const hsize_t count = classes.size();
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Id names(
      H5Acreate2(labels, kHdf5Classes, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  return names.valid() && H5Awrite(names.get(), type.get(), texts.data()) >= 0;
}

/// Writes everything except the rows of contiguous datasets, for which it reserves space.
Status writeStructure(const fs::path& target, std::span<const Hdf5Part> parts, std::uint64_t rows,
                      const Hdf5Form& form, std::vector<Hdf5Room>& rooms) {
  const Hdf5Lock lock;
  Hdf5Id file(H5Fcreate(target.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) return hdf5NotWritten(target);
  for (const Hdf5Part& part : parts) {
    const Hdf5Id set = makeDataset(file.get(), part, rows, form);
    if (!set.valid()) return hdf5NotWritten(target);
    if (part.field.role == Role::Label && !nameClasses(set.get(), form.classes))
      return hdf5NotWritten(target);
    if (isPacked(part, rows, form)) {
      MILLRACE_TRY(writePacked(set.get(), part, rows, target));
      continue;
    }
    if (part.field.dtype == DType::Encoded) {
      MILLRACE_TRY(writeRuns(set.get(), part, rows, target));
      continue;
    }
    const std::uint64_t bytes = rows * rowBytesOf(part);
    if (bytes > 0) rooms.push_back({&part.rows, H5Dget_offset(set.get()), bytes});
  }
  if (file.close() < 0) return hdf5NotWritten(target);
  return {};
}

Status copyRows(int to, const Hdf5Room& room, const fs::path& target) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;
  MILLRACE_ASSIGN_OR_RETURN(auto rows, PartReader::open(*room.rows));
  std::vector<std::byte> piece(std::min(kPiece, room.bytes));
  for (std::uint64_t done = 0; done < room.bytes;) {
    const std::size_t bytes = std::min<std::uint64_t>(piece.size(), room.bytes - done);
    MILLRACE_TRY(rows.next(piece.data(), bytes));
    for (std::size_t put = 0; put < bytes;) {
      const ssize_t n = ::pwrite(to, piece.data() + put, bytes - put,
                                 static_cast<off_t>(room.offset + done + put));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return cannotWrite(target, errno);
      put += static_cast<std::size_t>(n);
    }
    done += bytes;
  }
  return {};
}

}  // namespace

Status assembleHdf5(const fs::path& target, std::span<const Hdf5Part> parts, std::uint64_t rows,
                    const Hdf5Form& form) {
  std::vector<Hdf5Room> rooms;
  MILLRACE_TRY(writeStructure(target, parts, rows, form, rooms));
  const UniqueFd file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return cannotWrite(target, errno);
  for (const Hdf5Room& room : rooms) MILLRACE_TRY(copyRows(file.get(), room, target));
  if (::fsync(file.get()) != 0) return cannotWrite(target, errno);
  return {};
}

}  // namespace millrace
