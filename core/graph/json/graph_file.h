// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace millrace {

/// Fails if the file is there and is not a pipeline, which saveGraph() may replace. Called before
/// long work.
Status maySaveGraph(const std::filesystem::path& file);

}  // namespace millrace
