// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

/// An unnamed file in the folder for temporary files; closing its descriptor deletes it.
Result<UniqueFd> temporaryFile();

/// Appends decompressed bytes to such a file. The error (a full disk) says what to set.
Status appendUnpacked(int fd, std::span<const std::byte> bytes);

}  // namespace millrace
