// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/dtype.h"
#include "core/formats/hdf5/hdf5_library.h"

namespace millrace {

/// The type of a dataset's elements.
struct Hdf5Element {
  DType dtype = DType::U8;
  std::vector<std::uint64_t> axes;  ///< axes of the element itself: fixed-length strings, arrays
  bool variable = false;
  bool wide = false;
  bool straight = true;  ///< the stored form equals that in memory
  std::string whyNot;    ///< why it is not supported; empty if it is
};

/// From a type of the library. Requires the lock.
Hdf5Element hdf5ElementOf(hid_t type);

/// The memory type for reading the elements through the library: native byte order, unsigned 32-
/// and 64-bit integers as i64. Requires the lock.
Hdf5Id hdf5MemoryType(hid_t type);

}  // namespace millrace
