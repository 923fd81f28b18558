// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/analysis/bottleneck.h"

namespace millrace {

/// A cause in a list: its title and its first evidence, or only the evidence if that names the node
/// itself: "`decode` takes 71 % of the workers' time".
std::string causeText(const LimitCause& cause);

}  // namespace millrace
