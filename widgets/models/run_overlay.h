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

// What a canvas shows of a run, by node id (INTERACTION 18 and 19). Values, so that a view paints
// again only what has changed.

/// The strip below a node.
struct NodeOverlay {
  QString rate;        ///< "804 /s"
  QString mean;        ///< "2.09 ms"; empty where nobody measured it
  double share = -1;   ///< busy, 0 to 1; below 0: unknown
  QString shareText;   ///< "84 %"
  QString instead;     ///< "in Decode": fused nodes have no figures of their own
  std::string within;  ///< the node that shows the work of this one
  std::string stage;   ///< whose threads spend its time
  double wallMs = -1;  ///< of the clock on the wall, a sample; below 0: unknown
  bool ring = false;   ///< the limit of the run
  bool operator==(const NodeOverlay&) const = default;
};

/// The chip on the wire that leaves this node.
struct QueueOverlay {
  QString text;         ///< "1.8 of 2, full 96 %"
  double share = 0;     ///< of the capacity that is filled
  bool limits = false;  ///< it is evidence for the ring
  bool operator==(const QueueOverlay&) const = default;
};

/// The head of a workers region.
struct RegionOverlay {
  QString left;        ///< "2 threads, busy 97 %"
  QString right;       ///< "1.24 ms a sample, wall clock"
  double wallMs = -1;  ///< that its threads are busy for, as NodeOverlay has it
  bool operator==(const RegionOverlay&) const = default;
};

struct RunOverlay {
  bool shown = false;  ///< there is, or was, a run
  bool over = false;   ///< values are the last ones, to be greyed, with `label`
  QString label;       ///< "RUN 42"
  std::map<std::string, NodeOverlay> nodes;
  std::map<std::string, QueueOverlay> queues;
  std::map<std::string, RegionOverlay> regions;
  std::set<std::string> edited;  ///< nodes that are no longer as they run
  bool operator==(const RunOverlay&) const = default;
};

/// Of the last second.
RunOverlay overlayOf(const LiveRun& run);

/// How long the clock on the wall goes on while these nodes work on a sample, in milliseconds: what
/// threads do side by side counts once, and of stages, which work at the same time, the longest.
/// Below 0 where nothing is known, or a part of it is another node's.
double wallClockMs(const RunOverlay& run, const std::vector<std::string>& nodes);

// Words of live figures, with no-break spaces.
QString shownRate(double perSecond);   ///< "804", "12.6"
QString shownMs(double milliseconds);  ///< "2.09 ms", "< 0.01 ms"
QString shownShare(double share);      ///< "84 %"

}  // namespace millrace
