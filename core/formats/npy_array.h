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
#include "core/formats/open_file.h"
#include "core/formats/unique_fd.h"

namespace millrace {

/// What the head of a .npy file says (numpy.lib.format, versions 1 to 3): an array in C order whose
/// first axis runs over the samples. bool is u8.
struct NpyHead {
  DType dtype = DType::U8;
  std::uint64_t rows = 0;
  Shape row;                ///< shape of one sample
  std::uint64_t bytes = 0;  ///< of the head: the data begins here

  std::uint64_t rowBytes() const {
    return static_cast<std::uint64_t>(row.elements()) * sizeOf(dtype);
  }
};

/// Reads it from the first bytes of `size` that lie from `offset` on. The error says what was found
/// and how to save the array so that it can be read.
Result<NpyHead> readNpyHead(int fd, std::uint64_t offset, std::uint64_t size);

/// An array in a .npy file, or in a member of a .npz: rows lie one behind the other.
struct NpyArray {
  std::string name;  ///< of the member, without .npy; empty for a .npy file
  NpyHead head;
  int fd = -1;               ///< borrowed from the file, or of `unpacked`
  std::uint64_t offset = 0;  ///< of the first row
  UniqueFd unpacked;         ///< of a member that was deflated
  std::string note;          ///< what a person should know: cut short, unpacked
};

/// The arrays of a .npy or .npz file, told apart by the first bytes; the file must outlive them.
/// Members that are no arrays, or arrays of kinds that are not read, are left out with a reason in
/// `notes`. The error is a sentence without the file's name.
Result<std::vector<NpyArray>> openNpyArrays(const OpenFile& file, std::vector<std::string>& notes);

}  // namespace millrace
