// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace millrace {

/// The content of a kernel file, whose size stat does not report; empty if it cannot be read. At
/// most 1 MiB. Any thread.
std::string readSmallFile(const std::filesystem::path& file);

}  // namespace millrace
