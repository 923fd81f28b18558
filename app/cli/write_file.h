// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "core/base/result.h"

namespace millrace::cli {

/// Error when something stands at `file` and `force` is not given.
Status mayWrite(const std::filesystem::path& file, bool force);

/// Lets `write` make a file beside `file` under another name, then gives it that name: after an
/// error, or a kill, `file` is what it was.
Status replaceFile(const std::filesystem::path& file,
                   const std::function<Status(const std::filesystem::path&)>& write);

/// The bytes as a whole file, on the disk when it returns. A device or pipe is written to as it is.
Status writeWhole(const std::filesystem::path& file, std::string_view bytes);

}  // namespace millrace::cli
