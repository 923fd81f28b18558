// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/analysis/shuffle_quality.h"

namespace millrace {

/// `samples`, and as `{value, full}` `distance`, `class_run`, `file_run` and
/// `batch_entropy_bits`; null if absent. `batch_entropy_along`: an array.
std::string shuffleJson(const ShuffleQuality& quality, bool indented);

}  // namespace millrace
