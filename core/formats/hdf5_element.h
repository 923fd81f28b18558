// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/dtype.h"
#include "core/formats/hdf5_library.h"

namespace millrace {

/// What an element of a dataset is.
struct Hdf5Element {
  DType dtype = DType::U8;
  std::vector<std::uint64_t> axes;  ///< of its own: strings of fixed length, arrays
  bool variable = false;
  bool wide = false;
  bool straight = true;  ///< lies in the file as it does in memory
  std::string whyNot;    ///< why it is not read; empty: it is
};

/// Of a type of the library. Under the lock.
Hdf5Element hdf5ElementOf(hid_t type);

/// The type in memory that the library is to read its elements as: numbers in this machine's order,
/// unsigned ones of 32 and 64 bits as i64. Under the lock.
Hdf5Id hdf5MemoryType(hid_t type);

}  // namespace millrace
