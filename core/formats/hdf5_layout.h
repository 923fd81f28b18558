// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/formats/hdf5_dataset.h"
#include "core/formats/hdf5_library.h"

namespace millrace {

/// What the library says of an open dataset `name`, checked against the file's size: what its
/// elements are, and where its rows lie; in a file that is not `plain` (hdf5IsPlain) all goes by
/// the library. Rows in other datasets or files are not read. Under the lock.
Hdf5Dataset hdf5DatasetOf(hid_t set, std::string name, std::uint64_t fileBytes, bool plain);

/// Whether offsets in the file count from its begin and have 64 bits. Under the lock.
bool hdf5IsPlain(hid_t file);

}  // namespace millrace
