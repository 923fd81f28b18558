// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <QList>
#include <QString>

#include "core/metrics/histogram.h"

namespace millrace {

class LiveRun;

/// What one node did in a run, for the inspector and its tooltip. Value.
struct NodeRun {
  QString heading;                          ///< "Run 42"
  QList<std::pair<QString, QString>> rows;  ///< "Rate" and "804 samples/s"
  QString note;                             ///< why something is not known; may be empty
  Histogram times;                          ///< of single samples or batches; empty if not counted
  double meanMs = 0;                        ///< of `times`
};

/// The figures are those on the canvas. nullopt if the node did not run.
std::optional<NodeRun> nodeRunOf(const LiveRun& run, const std::string& node);

}  // namespace millrace
