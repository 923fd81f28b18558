// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/inspect/report/data_report.h"

namespace millrace {

/// Mean or deviation as a parameter of the node `normalise` is given: "0.4852,0.456,0.4061".
std::string channelsText(const std::vector<double>& values);

/// A document that normalises with the figures of a report.
struct NormaliseEdit {
  Graph graph;
  NodeId node;
  bool isNew = false;  ///< the node was inserted
};

/// Sets mean and deviation of a set in the node `normalise`: in `chosen` if it is one, else in the
/// only one. Without one, it is inserted at the last place of the chain where the pipeline has no
/// more errors with it than without. Refused if the set has no such figures, or a channel with
/// equal values only, if there are several such nodes, or if there is no place. Opens no data.
Result<NormaliseEdit> withFiguresOf(const SetReport& set, const Graph& graph,
                                    const Catalog& catalog, const NodeId& chosen = {});

}  // namespace millrace
