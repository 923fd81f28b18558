// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/formats/hdf5_dataset.h"
#include "core/formats/hdf5_library.h"

namespace millrace {

/// What the library says of an open dataset, checked against the file's size: what its elements
/// are, and where its rows lie; in a file that is not `plain` (hdf5IsPlain) all goes by the
/// library. Under the lock.
Hdf5Dataset hdf5DatasetOf(hid_t set, std::uint64_t fileBytes, bool plain);

/// Whether offsets in the file count from its begin and have 64 bits. Under the lock.
bool hdf5IsPlain(hid_t file);

/// The type in memory that the library is to read its elements as: numbers in this machine's order,
/// unsigned ones of 32 and 64 bits as i64. Under the lock.
Hdf5Id hdf5MemoryType(hid_t type);

}  // namespace millrace
