// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/loader/pipeline_request.h"

namespace millrace {

/// The document as the store keeps it: with absolute paths, so that it means the same anywhere.
std::string keptDocument(const PreparedPipeline& prepared);

}  // namespace millrace
