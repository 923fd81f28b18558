// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/store/run_store.h"
#include "widgets/models/search/sweep_order.h"

namespace millrace {

/// A sweep in the store that was stopped, or whose process is gone.
struct UnfinishedSweep {
  QString experiment;
  SweepOrder order;  ///< makes the engine find the same settings again
  int measured = 0;  ///< completed settings, including failed ones
  int of = 0;
};

/// The newest sweep of exactly this pipeline that can be continued. `graph` has absolute paths.
/// Reads the store; any thread.
Result<std::optional<UnfinishedSweep>> unfinishedSweep(RunStore& store, const Graph& graph,
                                                       const Catalog& catalog);

}  // namespace millrace
