// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// What limits a run while it is running, by the basic rule of docs/reference/limits.md: if no
// finished batch was ready for over 80 % of the last 5 s, the limit is upstream of their queue; if
// batches waited for over 80 %, it is downstream; otherwise it is unknown. If one thread does
// everything, its busy times decide. Pure: works on totals, without a clock.

/// Layout of the run. Stages are in order, the last one is the consumer's; queue i is between
/// stages i and i + 1.
struct LiveLayout {
  struct Stage {
    std::string id;
    std::size_t threads = 1;
    /// All nodes that run on this stage's threads, including the source's reading.
    std::vector<std::string> nodes;
  };
  std::vector<Stage> stages;
  std::vector<std::string> queues;
};

/// Totals since the repeat began, as in a snapshot; missing values count as 0.
struct LiveTotals {
  struct Queue {
    std::string id;
    double emptySeconds = 0;
    double fullSeconds = 0;
  };
  struct Node {
    std::string id;
    double busySeconds = 0;  ///< over all its threads
  };
  double seconds = 0;
  std::vector<Queue> queues;
  std::vector<Node> nodes;
};

struct LiveEvidence {
  enum class Kind : std::uint8_t { NodeBusy, QueueEmpty, QueueFull, ConsumerWaits, OneThread };
  Kind kind = Kind::NodeBusy;
  std::string subject;  ///< id of the node, queue or consumer
  double share = 0;     ///< of the observed time, 0 to 1
  std::size_t threads = 1;
};

/// "Decode is busy 97 % of the time, on 2 threads." `name`: the name of the subject to show.
std::string sentenceOf(const LiveEvidence& evidence, std::string_view name);

struct LiveFinding {
  enum class Kind : std::uint8_t {
    Waiting,    ///< too little was observed so far
    Region,     ///< a stage upstream of the finished batches; `node` is its busiest node
    Consumer,   ///< the stage downstream of them
    CannotTell  ///< neither; `evidence` has the figures
  };
  Kind kind = Kind::Waiting;
  std::string stage;
  std::string node;  ///< the node to highlight; empty: none
  std::vector<LiveEvidence> evidence;

  /// Whether both findings name the same limit, whatever their figures.
  bool agreesWith(const LiveFinding& other) const {
    return kind == other.kind && node == other.node;
  }
};

/// Tracks the limit of one run over its repeats. One thread.
class LiveLimit {
 public:
  static constexpr double kSpanSeconds = 5;   ///< length of the observed time
  static constexpr double kLeastSeconds = 3;  ///< time observed before the first finding
  static constexpr double kHoldSeconds = 3;   ///< time that a new finding must last to be shown
  /// Share of the time that the queue is empty, or full.
  static constexpr double kDecidingShare = 0.8;

  explicit LiveLimit(LiveLayout layout);

  /// Adds a snapshot. Totals smaller than the last ones mean that a new repeat began. Warm-ups
  /// count too.
  void add(const LiveTotals& totals);
  /// What limited a whole run, by its totals: without the wait for kLeastSeconds, but Waiting if
  /// there were too few batches for any finding.
  static LiveFinding ofWholeRun(LiveLayout layout, const LiveTotals& totals, std::uint64_t batches);
  /// The finding to show. It changes only after another finding has lasted, and its evidence is
  /// that of the change.
  const LiveFinding& finding() const { return m_shown; }

 private:
  /// Differences between two snapshots, in the order of the layout.
  struct Slice {
    double seconds = 0;
    std::vector<double> empty;               ///< by queue
    std::vector<double> full;                ///< by queue
    std::vector<std::vector<double>> nodes;  ///< by stage and node
  };

  Slice sliceOf(const LiveTotals& totals) const;
  Slice sum() const;
  LiveFinding judge(const Slice& span) const;
  LiveFinding onOneThread(const Slice& span) const;
  LiveFinding upstreamOf(std::size_t queue, const Slice& span) const;
  LiveFinding downstreamOf(std::size_t queue, const Slice& span) const;
  LiveEvidence waitOfConsumer(const Slice& span) const;
  void show(LiveFinding found);

  LiveLayout m_layout;
  Slice m_last;
  std::deque<Slice> m_slices;
  double m_seen = 0;
  LiveFinding m_shown;
  LiveFinding m_next;  ///< candidate to replace m_shown, found when m_seen was m_nextSince
  double m_nextSince = 0;
};

}  // namespace millrace
