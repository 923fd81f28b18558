// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/data/dtype.h"
#include "core/data/shape.h"
#include "core/formats/hdf5_chunks.h"
#include "core/formats/hdf5_heap.h"

namespace millrace {

/// A dataset of an HDF5 file as samples: its first axis runs over them. Value.
struct Hdf5Dataset {
  enum class Access : std::uint8_t {
    Straight,  ///< rows lie one behind the other in the file
    Chunks,    ///< in chunks whose filters are undone here
    Library,   ///< anything else: by the library, one thread at a time
  };
  std::string name;  ///< path within the file, without the first slash
  DType dtype = DType::U8;
  /// Of a sample. Runs of any length (files, words, numbers) have {kUnknown}.
  Shape row;
  bool variable = false;   ///< runs: where not by the library, of bytes in the file's heap
  bool wide = false;       ///< unsigned numbers of 64 bits, of which not all fit
  std::uint64_t rows = 0;  ///< that are there
  Access access = Access::Library;
  std::uint64_t offset = 0;  ///< of the first row, where Straight
  Hdf5Chunks chunks;
  std::size_t handle = 0;  ///< the file's
  std::string whyNot;      ///< why it cannot be read; empty: it can
  std::string note;        ///< what a person should know of it

  /// Of a sample, as its dataset has it: of variable ones only where the run lies.
  std::uint64_t rowBytes() const {
    if (variable) return Hdf5Run::kStored;
    return static_cast<std::uint64_t>(row.elements()) * sizeOf(dtype);
  }
};

}  // namespace millrace
