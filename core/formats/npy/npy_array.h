// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/dtype.h"
#include "core/data/shape.h"
#include "core/formats/io/open_file.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

/// The header of a .npy file (numpy.lib.format, versions 1 to 3) with an array in C order whose
/// first axis runs over the samples. bool becomes u8.
struct NpyHead {
  DType dtype = DType::U8;
  std::uint64_t rows = 0;
  Shape row;                ///< shape of one sample
  std::uint64_t bytes = 0;  ///< size of the header; the data starts there

  std::uint64_t rowBytes() const {
    return static_cast<std::uint64_t>(row.elements()) * sizeOf(dtype);
  }
};

/// Reads the header at `offset` of an array of `size` bytes. The error says what was found, and how
/// to save the array so that it can be read.
Result<NpyHead> readNpyHead(int fd, std::uint64_t offset, std::uint64_t size);

/// An array in a .npy file or in a member of a .npz file; its rows are contiguous.
struct NpyArray {
  std::string name;  ///< name of the member without .npy; empty for a .npy file
  NpyHead head;
  int fd = -1;               ///< borrowed from the file, or the descriptor of `unpacked`
  std::uint64_t offset = 0;  ///< offset of the first row
  UniqueFd unpacked;         ///< the decompressed content of a deflated member
  std::string note;          ///< a note for the user: truncated, decompressed
};

/// Opens the arrays of a .npy or .npz file, distinguished by the first bytes; the file must outlive
/// them. Members that are not arrays, or of unsupported types, are left out with the reason in
/// `notes`. The error does not contain the file's name.
Result<std::vector<NpyArray>> openNpyArrays(const OpenFile& file, std::vector<std::string>& notes);

}  // namespace millrace
