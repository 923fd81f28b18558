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

// What limits a run while it goes on, by CONTRACT §12's plain rule: finished batches missing over
// 80 % of the last 5 s, the limit is in front of their queue; waiting over 80 %, behind it; else it
// cannot be told. Pure: fed with totals, no clock.

/// How the run is laid out: stages in order, the last one the consumer's; queue i lies between
/// stages i and i + 1.
struct LiveLayout {
  struct Stage {
    std::string id;
    std::size_t threads = 1;
    /// All nodes whose time this stage's threads spend, the source's reading included.
    std::vector<std::string> nodes;
  };
  std::vector<Stage> stages;
  std::vector<std::string> queues;
};

/// Totals since the repeat began, as a snapshot gives them; what is missing counts as 0.
struct LiveTotals {
  struct Queue {
    std::string id;
    double emptySeconds = 0;
    double fullSeconds = 0;
  };
  struct Node {
    std::string id;
    double busySeconds = 0;  ///< on all its threads
  };
  double seconds = 0;
  std::vector<Queue> queues;
  std::vector<Node> nodes;
};

struct LiveEvidence {
  enum class Kind : std::uint8_t { NodeBusy, QueueEmpty, QueueFull, ConsumerWaits, NoQueue };
  Kind kind = Kind::NodeBusy;
  std::string subject;  ///< id of the node, queue or consumer
  double share = 0;     ///< of the time looked at, 0 to 1
  std::size_t threads = 1;
};

/// "Decode is busy 97 % of the time, on 2 threads." `name`: what a person calls the subject.
std::string sentenceOf(const LiveEvidence& evidence, std::string_view name);

struct LiveFinding {
  enum class Kind : std::uint8_t {
    Waiting,    ///< too little was seen: nothing is said yet
    Region,     ///< the stage in front of the finished batches; `node` is its busiest
    Consumer,   ///< the stage behind them
    CannotTell  ///< neither, and `evidence` says how it stands
  };
  Kind kind = Kind::Waiting;
  std::string stage;
  std::string node;  ///< where the ring goes; empty: nowhere
  std::vector<LiveEvidence> evidence;

  /// Whether both say the same of the run, whatever their figures.
  bool agreesWith(const LiveFinding& other) const {
    return kind == other.kind && node == other.node;
  }
};

/// Follows one run through its repeats. One thread.
class LiveLimit {
 public:
  static constexpr double kSpanSeconds = 5;      ///< looked at
  static constexpr double kLeastSeconds = 3;     ///< seen before anything is said
  static constexpr double kHoldSeconds = 3;      ///< a new finding lasts before it replaces the old
  static constexpr double kDecidingShare = 0.8;  ///< of the time empty, or full

  explicit LiveLimit(LiveLayout layout);

  /// Totals that are less than the last ones begin a repeat; warm-ups count like the rest.
  void add(const LiveTotals& totals);
  /// What to show: it changes only once another finding has lasted, and then keeps the evidence
  /// that it stands on.
  const LiveFinding& finding() const { return m_shown; }

 private:
  /// What happened between two snapshots, in the layout's order.
  struct Slice {
    double seconds = 0;
    std::vector<double> empty;               ///< by queue
    std::vector<double> full;                ///< by queue
    std::vector<std::vector<double>> nodes;  ///< by stage and node
  };

  Slice sliceOf(const LiveTotals& totals) const;
  Slice sum() const;
  LiveFinding judge() const;
  LiveFinding inFrontOf(std::size_t queue, const Slice& span) const;
  LiveFinding behind(std::size_t queue, const Slice& span) const;
  LiveEvidence waitOfConsumer(const Slice& span) const;
  void show(LiveFinding found);

  LiveLayout m_layout;
  Slice m_last;
  std::deque<Slice> m_slices;
  double m_seen = 0;
  LiveFinding m_shown;
  LiveFinding m_next;  ///< may replace it, since m_nextSince of m_seen
  double m_nextSince = 0;
};

}  // namespace millrace
