// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/measure/run_result.h"

namespace millrace::cli {

/// The slowest samples for the report of a run, beginning with an empty line. Empty if none of them
/// takes much longer than the others.
std::string slowestLines(const SpanFigures& figures);

/// All slowest samples that were kept, or why there are none.
std::string slowestPage(const SpanFigures& figures);

}  // namespace millrace::cli
