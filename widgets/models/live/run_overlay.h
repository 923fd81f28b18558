// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <QString>

namespace millrace {

class LiveRun;

// A run's figures on the canvas, by node id (docs/workbench.md#live-figures). Values, so that a
// view repaints only what has changed.

/// The strip below a node.
struct NodeOverlay {
  QString rate;          ///< "804 /s"
  QString mean;          ///< "2.09 ms"; "not timed" for a node that is not timed
  double share = -1;     ///< busy, 0 to 1; below 0: unknown
  QString shareText;     ///< "84 %"; a dash if it is not timed
  QString details;       ///< a line with all figures, for the tooltip
  QString instead;       ///< "in Decode": fused nodes have no separate figures
  std::string within;    ///< the node that this one was fused into
  std::string stage;     ///< the stage whose threads run it
  double wallMs = -1;    ///< wall-clock time per sample; below 0: unknown
  bool ring = false;     ///< it limits the run
  bool keepsUp = false;  ///< and is the training step: the loader keeps up, so nothing is wrong
  bool operator==(const NodeOverlay&) const = default;
};

/// The chip on the wire that leaves this node.
struct QueueOverlay {
  QString text;         ///< "1.8 of 2, full 96 %"
  QString shortText;    ///< "1.8/2"
  double share = 0;     ///< fill, as a share of the capacity
  bool limits = false;  ///< it is evidence for what limits the run
  bool operator==(const QueueOverlay&) const = default;
};

/// The head of a workers region.
struct RegionOverlay {
  QString left;        ///< "2 threads, busy 97 %"
  QString right;       ///< "1.24 ms per sample, wall clock"
  double wallMs = -1;  ///< busy time of its threads, see NodeOverlay
  bool operator==(const RegionOverlay&) const = default;
};

struct RunOverlay {
  bool shown = false;  ///< there is or was a run
  bool over = false;   ///< the run has ended: grey the values and show `label`
  QString label;       ///< "RUN 42"
  std::map<std::string, NodeOverlay> nodes;
  std::map<std::string, QueueOverlay> queues;
  std::map<std::string, RegionOverlay> regions;
  std::set<std::string> edited;  ///< nodes that differ from what is running
  bool operator==(const RunOverlay&) const = default;
};

/// The overlay of the last second.
RunOverlay overlayOf(const LiveRun& run);

/// The wall-clock time for which these nodes work on a sample, in milliseconds: parallel threads
/// count once, and of stages, which work at the same time, only the longest counts. Below 0 if it
/// is unknown, or if part of the work belongs to another node.
double wallClockMs(const RunOverlay& run, const std::vector<std::string>& nodes);

// Live figures as text, with no-break spaces.
QString shownRate(double perSecond);   ///< "804.2", "12.65"
QString shownMs(double milliseconds);  ///< "2.09 ms", "0.80 µs"
QString shownShare(double share);      ///< "84 %"

}  // namespace millrace
