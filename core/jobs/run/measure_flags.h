// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/measure/measured_run.h"

namespace millrace {

/// The flags of `millrace run` that make the same measurement in another process.
std::vector<std::string> measureFlags(const MeasureSettings& measure,
                                      const std::string& maxFailures, bool noFuse);

}  // namespace millrace
