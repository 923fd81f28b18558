// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// The step of the pipeline's node that decodes pictures; nullopt: none is on. Relative paths start
/// at `base`.
Result<std::optional<DecodeStep>> decodingOf(const Graph& graph, const std::filesystem::path& base);

}  // namespace millrace
