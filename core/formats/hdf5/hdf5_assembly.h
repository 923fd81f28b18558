// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/stream_type.h"

namespace millrace {

/// A dataset to be written, and the files with its rows.
struct Hdf5Part {
  FieldSpec field;
  std::filesystem::path rows;     ///< the values, consecutively
  std::filesystem::path lengths;  ///< for encoded fields: number of bytes of each value, as u64
};

/// How the file is written.
struct Hdf5Form {
  int gzip = 0;                      ///< compression level; 0: contiguous
  std::vector<std::string> classes;  ///< names of the labels; empty: unknown
};

/// Size of a chunk of short rows. A longer row has its own chunk, so that random access
/// decompresses no other row.
constexpr std::uint64_t kHdf5ChunkBytes = 16384;

/// Writes the HDF5 file with these datasets of `rows` rows each, and flushes it to disk. The error
/// names the file.
Status assembleHdf5(const std::filesystem::path& target, std::span<const Hdf5Part> parts,
                    std::uint64_t rows, const Hdf5Form& form);

}  // namespace millrace
