// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/graph_check.h"

namespace millrace {

/// Checks one of the many settings of a sweep or a tuning. The data is opened only if the check
/// without it finds an error, since the data may resolve that: the number of classes, for example.
/// So every command accepts the pipelines that `run` accepts. Reentrant; may then scan all data.
CheckResult checkSetting(const Graph& graph, CheckOptions options);

}  // namespace millrace
