// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/events/stream/event_reader.h"
#include "core/measure/run_result.h"
#include "core/monitor/traffic.h"

namespace millrace {

/// A snapshot with the stream's time.
struct TimedSnapshot {
  double time = 0;
  SnapshotEvent content;
};
using Snapshots = std::deque<TimedSnapshot>;

/// A span of a run: differences of snapshots, added up over the repeats that it touches. Unreported
/// figures are nullopt. Value.
struct LiveSpan {
  struct Node {
    std::string id;
    double items = 0;
    std::optional<double> busySeconds;  ///< summed over its threads
  };
  struct Queue {
    std::string id;
    double meanFill = 0;  ///< averaged over the time
    double seconds = 0;
    double emptySeconds = 0;
    double fullSeconds = 0;
    double emptyShare() const { return seconds > 0 ? emptySeconds / seconds : 0; }
    double fullShare() const { return seconds > 0 ? fullSeconds / seconds : 0; }
  };
  double seconds = 0;  ///< running time; 0: nothing is known
  /// Running time in which the busy seconds of nodes were counted: as `seconds`, but for a run with
  /// repeats that do not count in its rate.
  double countedSeconds = 0;
  double samples = 0;
  double batches = 0;
  double readBytes = 0;
  double cpuSeconds = 0;
  double stepSeconds = 0;
  std::vector<Node> nodes;
  std::vector<Queue> queues;
  std::vector<double> coreShares;  ///< busy share of each core
  PerFlow<double> bytesPerSecond;

  const Node* node(const std::string& id) const;
  const Queue* queue(const std::string& id) const;
  double samplesPerSecond() const { return seconds > 0 ? samples / seconds : 0; }
};

/// Which parts of a span of time count.
enum class SpanPart { All, Measured };

/// The span of the snapshots whose times lie in [from, to].
LiveSpan spanOf(const Snapshots& snapshots, double from, double to, SpanPart part = SpanPart::All);

/// A whole run by its result. Its seconds are such that its rate is the run's, the geometric mean
/// of the repeats that count; nothing is known of single cores.
LiveSpan spanOf(const SpanFigures& figures);

/// The GPU in those snapshots: means and peaks as GpuField defines, and whether its figures ended.
/// nullopt if the engine monitors none.
std::optional<GpuFigures> gpuOf(const Snapshots& snapshots, double from, double to,
                                SpanPart part = SpanPart::All);

}  // namespace millrace
