// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/events/stream/run_events.h"
#include "core/graph/graph.h"
#include "widgets/models/live/live_run.h"

namespace millrace {

/// The stage of a DataLoader's worker processes in a plan, and the node that stands for them.
inline constexpr const char* kWorkersStage = "workers";

/// The kinds of a loader's steps. They can be drawn, and neither checked nor run.
const Catalog& loaderCatalog();

/// The steps of a measured loader as a chain, by the plan of its run (loaderPlan in
/// core/jobs/loader). The nodes have the plan's ids, so that the run's figures belong to them.
/// Worker processes are a region. Pure.
Graph loaderGraph(const PlanEvent& plan);

/// The names of its nodes. Pure.
NodeNames loaderNames(const Graph& graph);

}  // namespace millrace
