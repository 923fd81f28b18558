// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/store/run_store.h"
#include "widgets/models/sweep_order.h"

namespace millrace {

/// A sweep in the store that was stopped, or whose writer is gone.
struct UnfinishedSweep {
  QString experiment;
  SweepOrder order;  ///< by which the engine finds the same settings again
  int measured = 0;  ///< settings that are done, failed ones among them
  int of = 0;
};

/// The newest that was of just this pipeline and can go on. `graph` has absolute paths. Reads the
/// store; any thread.
Result<std::optional<UnfinishedSweep>> unfinishedSweep(RunStore& store, const Graph& graph,
                                                       const Catalog& catalog);

}  // namespace millrace
