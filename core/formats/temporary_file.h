// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/unique_fd.h"

namespace millrace {

/// A file without a name in the folder for temporary files: it goes with its descriptor.
Result<UniqueFd> temporaryFile();

/// Appends what was unpacked to such a file. The error (a full disk) says what to set.
Status appendUnpacked(int fd, std::span<const std::byte> bytes);

}  // namespace millrace
