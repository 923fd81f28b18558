// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace millrace {

/// The whole of a file of the kernel, whose size stat does not tell; empty when it cannot be read.
/// At most 1 MiB. Any thread.
std::string readSmallFile(const std::filesystem::path& file);

}  // namespace millrace
