// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/formats/hdf5/hdf5_dataset.h"
#include "core/formats/hdf5/hdf5_library.h"

namespace millrace {

/// Describes the open dataset `name` as reported by the library and checked against the file's
/// size: its elements, and where its rows are. In a file that is not `plain` (hdf5IsPlain)
/// everything is read through the library. Rows in other datasets or files are not supported.
/// Requires the lock.
Hdf5Dataset hdf5DatasetOf(hid_t set, std::string name, std::uint64_t fileBytes, bool plain);

/// Whether the file's offsets start at its first byte and have 64 bits. Requires the lock.
bool hdf5IsPlain(hid_t file);

}  // namespace millrace
