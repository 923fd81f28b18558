// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/advice.h"
#include "core/analysis/what_if.h"
#include "core/graph/graph.h"

namespace millrace {

/// An edit's effect on this document: "Workers › Threads: 2 → 4", "Add a memory cache after
/// Decode". Uses the file's names for nodes that the document does not have.
QString shownEdit(const Graph& graph, const Catalog& catalog, const Advice& edit);

/// Whether training sees the same samples with an edit, and if not, what differs: a sentence.
QString meaningForTraining(SampleChange changes);

/// "2 180 samples/s (2 000 to 2 300)".
QString shownPrediction(const RatePrediction& predicted);

}  // namespace millrace
