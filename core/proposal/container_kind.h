// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "core/proposal/folder_content.h"

namespace millrace {

/// Which container a file is by its name alone; Unknown for any other.
DataLayout containerByName(std::string_view name);

/// The same by its first bytes, whatever it is called. Reads no more than its head.
DataLayout containerByHead(const std::filesystem::path& file);

}  // namespace millrace
