// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/run/run_result.h"
#include "core/store/run_record.h"

namespace millrace {

// What a run measured, as the store keeps it.
std::vector<FigureRecord> figureRecords(const SpanFigures& figures);
std::vector<NodeRecord> nodeRecords(const SpanFigures& figures);
std::vector<QueueRecord> queueRecords(const SpanFigures& figures);

}  // namespace millrace
