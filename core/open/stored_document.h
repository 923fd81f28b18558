// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/open/pipeline_request.h"

namespace millrace {

/// The document as runs store it: with absolute paths, so that it does not depend on the current
/// folder.
std::string storedDocument(const PreparedPipeline& prepared);

}  // namespace millrace
