// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/stream_type.h"
#include "core/graph/graph.h"
#include "core/graph/graph_check.h"
#include "core/spec/catalog.h"

namespace millrace {

/// What any view shows of a node: canvas, outline, previews, differences. Made from the
/// description and the last check alone. Value.
struct NodeFace {
  NodeId id;
  QString title;
  QString settings;  ///< the two or three that matter
  QString icon;
  Category category = Category::Tensor;
  bool known = true;  ///< the kind is in the catalog
  bool bypassed = false;
  bool hasInput = true;
  bool hasOutput = true;
  Level inLevel = Level::Sample;
  Level outLevel = Level::Sample;
  int errors = 0;
  int warnings = 0;
  QString problem;  ///< the first one in words
  QString queue;    ///< what waits behind it at most: "4 batches"; empty: nothing does

  bool operator==(const NodeFace&) const = default;
};

/// "Flip", "Flip 2" for `flip_2`; a name that a person gave stands for itself.
QString titleOf(const GraphNode& node, const NodeSpec* spec);
/// Settings that differ from the defaults first, else the leading ones, in declared order.
QString settingsLine(const GraphNode& node, const NodeSpec& spec);

NodeFace faceOf(const GraphNode& node, const Catalog& catalog, const CheckResult& check);

/// Plain words for tooltips and screen readers.
QString describe(const NodeFace& face, const NodeSpec* spec);

}  // namespace millrace
