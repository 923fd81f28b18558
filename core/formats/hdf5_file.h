// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/hdf5_dataset.h"
#include "core/formats/open_file.h"

namespace millrace {

/// An HDF5 file that is open for reading. libhdf5 says where the data lies; it has one lock for the
/// whole process, so that rows are read past it where Hdf5Dataset::Access allows (Hdf5RowReader).
/// Constant after opening; may be shared by threads.
class Hdf5File {
 public:
  /// A file with more datasets is refused: it is no table of samples.
  static constexpr std::size_t kMostDatasets = 4096;

  /// Finds the datasets of all groups; links into other files are not followed. The library takes
  /// no lock on the file. The error is a sentence without the file's name.
  static Result<std::unique_ptr<Hdf5File>> open(const std::filesystem::path& path);
  ~Hdf5File();

  /// In the order of their names; also those that cannot be read, with the reason.
  const std::vector<Hdf5Dataset>& datasets() const { return m_datasets; }
  int fd() const { return m_file.fd.get(); }
  std::uint64_t bytes() const { return m_file.size; }

  /// One row by the library; `to` has rowBytes().
  Status readRow(const Hdf5Dataset& set, std::uint64_t row, std::span<std::byte> to) const;
  /// A row of any length; gives how many bytes of `memory` it has.
  Result<std::size_t> readRun(const Hdf5Dataset& set, std::uint64_t row, Buffer& memory) const;
  /// The texts of the dataset's attribute `classes`, as openHdf5Writer leaves them; empty where
  /// there is none, or one that is no list of texts of one length.
  std::vector<std::string> classNames(const Hdf5Dataset& set) const;
  /// Whether memory is to hold a number of each row; the error says how many there are.
  static Status checkNumbers(const Hdf5Dataset& set);
  /// One whole number a row, of all rows, by the library.
  Result<std::vector<std::int64_t>> readNumbers(const Hdf5Dataset& set) const;

 private:
  struct Library;
  explicit Hdf5File(OpenFile file);

  OpenFile m_file;
  std::unique_ptr<Library> m_library;
  std::vector<Hdf5Dataset> m_datasets;
};

}  // namespace millrace
