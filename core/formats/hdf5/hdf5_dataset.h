// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/data/dtype.h"
#include "core/data/shape.h"
#include "core/formats/hdf5/hdf5_chunks.h"
#include "core/formats/hdf5/hdf5_heap.h"

namespace millrace {

/// A dataset of an HDF5 file, seen as samples along its first axis. Value.
struct Hdf5Dataset {
  enum class Access : std::uint8_t {
    Straight,  ///< rows are contiguous in the file
    Chunks,    ///< in chunks whose filters are decoded here
    Library,   ///< otherwise: read by the library, one thread at a time
  };
  std::string name;  ///< path within the file, without the first slash
  DType dtype = DType::U8;
  /// Shape of a sample. Variable-length runs (files, texts, numbers) have {kUnknown}.
  Shape row;
  bool variable = false;   ///< variable-length runs; unless read by the library, they are bytes in
                           ///< the file's heap
  bool wide = false;       ///< unsigned 64-bit numbers, which may exceed I64
  std::uint64_t rows = 0;  ///< rows present in the file
  Access access = Access::Library;
  std::uint64_t offset = 0;  ///< offset of the first row, for Straight
  Hdf5Chunks chunks;
  std::size_t handle = 0;  ///< index into the file's handles
  std::string whyNot;      ///< why it cannot be read; empty if it can
  std::string note;        ///< a note for the user

  /// Stored size of a sample; for variable-length runs the size of their reference.
  std::uint64_t rowBytes() const {
    if (variable) return Hdf5Run::kStored;
    return static_cast<std::uint64_t>(row.elements()) * sizeOf(dtype);
  }
};

}  // namespace millrace
