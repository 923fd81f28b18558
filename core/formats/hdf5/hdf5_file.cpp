// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/hdf5/hdf5_element.h"
#include "core/formats/hdf5/hdf5_layout.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

namespace {

constexpr std::int64_t kLargestWhole = std::numeric_limits<std::int64_t>::max();

/// The signature is at offset 0, or after a user block of 512 bytes, 1024 bytes, ...
Result<bool> beginsAsHdf5(const OpenFile& file) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  for (std::uint64_t at = 0; at + kSignature.size() <= file.size; at = at == 0 ? 512 : at * 2) {
    std::array<char, 8> head{};
    MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(file.fd.get(), at, head.data(), head.size()));
    if (std::string_view(head.data(), got) == kSignature) return true;
  }
  return false;
}

extern "C" herr_t takeHdf5Name(hid_t, const char* name, const H5O_info_t* info, void* to) {
  auto& names = *static_cast<std::vector<std::string>*>(to);
  if (info->type == H5O_TYPE_DATASET) names.emplace_back(name);
  return names.size() > Hdf5File::kMostDatasets ? 1 : 0;
}

Result<std::vector<std::string>> hdf5Names(hid_t file) {
  std::vector<std::string> names;
  if (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, takeHdf5Name, &names) < 0)
    return Error{"its groups are damaged: " + hdf5Reason()};
  if (names.size() > Hdf5File::kMostDatasets)
    return Error{fmt::format(
        "it has more than {} datasets; a dataset must contain all samples along its first axis: "
        "write one dataset for all samples instead of one per sample",
        grouped(Hdf5File::kMostDatasets))};
  if (names.empty()) return Error{"it has no dataset"};
  std::sort(names.begin(), names.end());
  return names;
}

struct OpenHdf5Set {
  Hdf5Id set;
  Hdf5Id memory;  ///< the memory type for reading elements
};

/// Reads rows [first, first + count) as elements of type `memory`.
Status readHdf5Rows(hid_t set, hid_t memory, std::uint64_t first, std::uint64_t count, void* to) {
  const Hdf5Id space(H5Dget_space(set), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> begin{};
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  const int rank = H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  begin[0] = first;
  sizes[0] = count;
  const Hdf5Id there(H5Screate_simple(rank, sizes.data(), nullptr), H5Sclose);
  if (rank < 1 ||
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin.data(), nullptr, sizes.data(),
                          nullptr) < 0 ||
      H5Dread(set, memory, there.get(), space.get(), H5P_DEFAULT, to) < 0)
    return Error{"cannot be read by libhdf5: " + hdf5Reason()};
  return {};
}

/// The library saturates larger numbers to the maximum.
Status checkWide(const Hdf5Dataset& set, std::span<const std::byte> bytes) {
  if (!set.wide) return {};
  for (std::size_t at = 0; at + sizeof(std::int64_t) <= bytes.size(); at += sizeof(std::int64_t)) {
    std::int64_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    if (number == kLargestWhole)
      return Error{"it has a number that exceeds the range of a 64-bit signed integer"};
  }
  return {};
}

/// The texts of a list attribute of fixed-length strings. Variable-length ones are in the file's
/// heap, which the library does not read safely if it is damaged.
std::vector<std::string> hdf5Texts(hid_t attribute) {
  constexpr std::size_t kMostBytes = 1U << 20U;
  const Hdf5Id type(H5Aget_type(attribute), H5Tclose);
  const Hdf5Id space(H5Aget_space(attribute), H5Sclose);
  hsize_t count = 0;
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      H5Sget_simple_extent_ndims(space.get()) != 1 ||
      H5Sget_simple_extent_dims(space.get(), &count, nullptr) != 1)
    return {};
  const std::size_t length = H5Tget_size(type.get());
  if (length == 0 || count > kMostBytes / length) return {};
  std::string texts(count * length, '\0');
  if (H5Aread(attribute, type.get(), texts.data()) < 0) return {};
  std::vector<std::string> names;
  for (hsize_t i = 0; i < count; ++i) {
    const std::string name = texts.substr(i * length, length);
    names.push_back(name.substr(0, name.find('\0')));
  }
  return names;
}

}  // namespace

struct Hdf5File::Library {
  Hdf5Id file;
  std::vector<OpenHdf5Set> sets;

  Status open(const std::filesystem::path& path);
  Result<std::vector<Hdf5Dataset>> read(std::uint64_t fileBytes);
  void add(const std::string& name, std::uint64_t fileBytes, bool plain,
           std::vector<Hdf5Dataset>& found);
};

Status Hdf5File::Library::open(const std::filesystem::path& path) {
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Files that another program has open, or on file systems without locks, may be read too.
  H5Pset_file_locking(access.get(), false, true);
  file = Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file.valid()) return Error{"libhdf5 cannot open it: " + hdf5Reason()};
  return {};
}

void Hdf5File::Library::add(const std::string& name, std::uint64_t fileBytes, bool plain,
                            std::vector<Hdf5Dataset>& found) {
  OpenHdf5Set open{{H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose}, {}};
  Hdf5Dataset set;
  if (open.set.valid()) {
    set = hdf5DatasetOf(open.set.get(), name, fileBytes, plain);
    const Hdf5Id type(H5Dget_type(open.set.get()), H5Tclose);
    if (set.whyNot.empty()) open.memory = hdf5MemoryType(type.get());
  } else {
    set.name = name;
    set.whyNot = "damaged: " + hdf5Reason();
  }
  set.handle = sets.size();
  found.push_back(std::move(set));
  sets.push_back(std::move(open));
}

Result<std::vector<Hdf5Dataset>> Hdf5File::Library::read(std::uint64_t fileBytes) {
  const bool plain = hdf5IsPlain(file.get());
  MILLRACE_ASSIGN_OR_RETURN(const auto names, hdf5Names(file.get()));
  std::vector<Hdf5Dataset> found;
  for (const std::string& name : names) add(name, fileBytes, plain, found);
  return found;
}

Hdf5File::Hdf5File(OpenFile file)
    : m_file(std::move(file)), m_library(std::make_unique<Library>()) {}

Hdf5File::~Hdf5File() {
  const Hdf5Lock lock;
  m_library.reset();
}

Result<std::unique_ptr<Hdf5File>> Hdf5File::open(const std::filesystem::path& path) {
  MILLRACE_TRY(needsDisk(path, "HDF5 files"));
  MILLRACE_ASSIGN_OR_RETURN(auto opened, openForReading(path));
  MILLRACE_ASSIGN_OR_RETURN(const auto begins, beginsAsHdf5(opened));
  if (!begins) return Error{"not an HDF5 file: its signature is missing"};
  // Its destructor takes the lock, so it must outlive the lock below.
  std::unique_ptr<Hdf5File> file(new Hdf5File(std::move(opened)));
  const Hdf5Lock lock;
  if (Status done = file->m_library->open(path); !done) return done.error();
  MILLRACE_ASSIGN_OR_RETURN(file->m_datasets, file->m_library->read(file->m_file.size));
  return file;
}

Status Hdf5File::readRow(const Hdf5Dataset& set, std::uint64_t row, std::span<std::byte> to) const {
  {
    const Hdf5Lock lock;
    const OpenHdf5Set& open = m_library->sets[set.handle];
    MILLRACE_TRY(readHdf5Rows(open.set.get(), open.memory.get(), row, 1, to.data()));
  }
  return checkWide(set, to);
}

Result<std::size_t> Hdf5File::readRun(const Hdf5Dataset& set, std::uint64_t row,
                                      Buffer& memory) const {
  const Hdf5Lock lock;
  const OpenHdf5Set& open = m_library->sets[set.handle];
  const bool words = H5Tis_variable_str(open.memory.get()) > 0;
  hvl_t run{};
  char* text = nullptr;
  MILLRACE_TRY(readHdf5Rows(open.set.get(), open.memory.get(), row, 1,
                            words ? static_cast<void*>(&text) : &run));
  if (words) run = {text == nullptr ? 0 : std::strlen(text), text};
  const std::size_t most = RangeReader::kLargest / sizeOf(set.dtype);
  const std::size_t bytes = run.len * sizeOf(set.dtype);
  if (run.len <= most && bytes > 0) std::memcpy(memory.reserve(bytes), run.p, bytes);
  if (run.p != nullptr) H5free_memory(run.p);
  if (run.len > most) return Error{"a variable-length run of more than 1 GiB"};
  MILLRACE_TRY(checkWide(set, {memory.data(), bytes}));
  return bytes;
}

std::vector<std::string> Hdf5File::classNames(const Hdf5Dataset& set) const {
  const Hdf5Lock lock;
  const hid_t labels = m_library->sets[set.handle].set.get();
  if (H5Aexists(labels, kHdf5Classes) <= 0) return {};
  const Hdf5Id attribute(H5Aopen(labels, kHdf5Classes, H5P_DEFAULT), H5Aclose);
  return attribute.valid() ? hdf5Texts(attribute.get()) : std::vector<std::string>();
}

Status Hdf5File::checkNumbers(const Hdf5Dataset& set) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 27U;
  if (set.rows <= kMost) return {};
  return Error{fmt::format("{} numbers exceed the limit of {} for holding them in memory",
                           grouped(set.rows), grouped(kMost))};
}

Result<std::vector<std::int64_t>> Hdf5File::readNumbers(const Hdf5Dataset& set) const {
  MILLRACE_TRY(checkNumbers(set));
  std::vector<std::int64_t> numbers(set.rows);
  {
    const Hdf5Lock lock;
    MILLRACE_TRY(readHdf5Rows(m_library->sets[set.handle].set.get(), H5T_NATIVE_INT64, 0, set.rows,
                              numbers.data()));
  }
  MILLRACE_TRY(checkWide(set, std::as_bytes(std::span(numbers))));
  return numbers;
}

}  // namespace millrace
