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
#include "core/formats/hdf5/hdf5_dataset.h"
#include "core/formats/io/open_file.h"

namespace millrace {

/// An HDF5 file open for reading. libhdf5 locates the data; because it has a single process-wide
/// lock, rows are read without it where Hdf5Dataset::Access allows (Hdf5RowReader). Constant after
/// opening; may be shared between threads.
class Hdf5File {
 public:
  /// Files with more datasets are refused, since they are not tables of samples.
  static constexpr std::size_t kMostDatasets = 4096;

  /// Finds the datasets of all groups; links to other files are not followed. The library does not
  /// lock the file. The error does not contain the file's name. Fails in a build without the part
  /// `hdf5` (core/base/parts.h).
  static Result<std::unique_ptr<Hdf5File>> open(const std::filesystem::path& path);
  ~Hdf5File();

  /// In the order of their names, including unreadable ones with the reason.
  const std::vector<Hdf5Dataset>& datasets() const { return m_datasets; }
  int fd() const { return m_file.fd.get(); }
  std::uint64_t bytes() const { return m_file.size; }

  /// Reads one row through the library; `to` has rowBytes() bytes.
  Status readRow(const Hdf5Dataset& set, std::uint64_t row, std::span<std::byte> to) const;
  /// Reads a variable-length row; returns its number of bytes in `memory`.
  Result<std::size_t> readRun(const Hdf5Dataset& set, std::uint64_t row, Buffer& memory) const;
  /// The texts of the dataset's attribute `classes`, as openHdf5Writer writes them; empty if there
  /// is none, or if it is not a list of fixed-length texts.
  std::vector<std::string> classNames(const Hdf5Dataset& set) const;
  /// Whether one number per row fits in memory; the error gives their number.
  static Status checkNumbers(const Hdf5Dataset& set);
  /// One integer per row, of all rows, through the library.
  Result<std::vector<std::int64_t>> readNumbers(const Hdf5Dataset& set) const;

 private:
  struct Library;
  explicit Hdf5File(OpenFile file);

  OpenFile m_file;
  std::unique_ptr<Library> m_library;
  std::vector<Hdf5Dataset> m_datasets;
};

}  // namespace millrace
