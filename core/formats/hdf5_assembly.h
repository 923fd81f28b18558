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

/// A dataset that is to be, and the files that its rows lie in.
struct Hdf5Part {
  FieldSpec field;
  std::filesystem::path rows;     ///< the values one behind the other
  std::filesystem::path lengths;  ///< of encoded fields: bytes of each value, as u64
};

/// The form of the file.
struct Hdf5Form {
  int gzip = 0;                      ///< level of packing; 0: contiguous
  std::vector<std::string> classes;  ///< of the labels; empty: not known
};

/// Bytes that a chunk of short rows has. Longer rows have a chunk each, so that reading one out of
/// order unpacks no other.
constexpr std::uint64_t kHdf5ChunkBytes = 16384;

/// Makes the HDF5 file of such datasets with `rows` rows each, and puts it on the disk. The error
/// names the file.
Status assembleHdf5(const std::filesystem::path& target, std::span<const Hdf5Part> parts,
                    std::uint64_t rows, const Hdf5Form& form);

}  // namespace millrace
