// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/measure/run_result.h"

namespace millrace {

/// Measures one repeat of a side.
class SideMeasurer {
 public:
  virtual ~SideMeasurer() = default;
  /// A result with one repeat; without one if the repeat was stopped or failed. An error if it
  /// could not start.
  virtual Result<RunResult> measure(std::size_t side) = 0;
  /// Ends the current repeat, after the batches in progress (stop) or at once (cancel), and starts
  /// no other. Any thread.
  virtual void stop() = 0;
  virtual void cancel() = 0;
};

/// One repeat of each side, measured one directly after another.
struct MeasuredBlock {
  std::vector<SpanFigures> sides;
  /// Whether one of its repeats was disturbed (core/metrics/disturbance).
  bool disturbed = false;
};

/// Whether one of the repeats was disturbed.
bool isDisturbed(const std::vector<SpanFigures>& sides);
/// The first disturbance found, as core/metrics/disturbance describes it; empty if there is none.
std::string disturbanceOf(const std::vector<SpanFigures>& sides);

/// All the state that is needed to continue later. Value type.
struct MeasuredBlocks {
  std::vector<MeasuredBlock> blocks;
  std::size_t replaced = 0;  ///< disturbed blocks that were measured again
  std::string disturbance;   ///< of the first disturbed block, counted or replaced; empty: none, or
                             ///< not known

  std::size_t disturbed() const;
  /// Samples/s of a side by block; 0 if not known.
  std::vector<double> rates(std::size_t side) const;
};

struct BlockSettings {
  std::size_t sides = 2;
  std::uint64_t seed = 0;
  /// Called after each block: how many blocks are wanted in total. The measurement ends when there
  /// are that many.
  std::function<std::size_t(const MeasuredBlocks&)> wanted;
  /// Up to this many disturbed blocks are replaced; later ones count although they are disturbed.
  std::size_t mostReplaced = 10;
  /// Assumed time of a repeat for the time left, until one was measured.
  double secondsPerRepeat = 7;
};

/// `wanted` for a comparison of two sides, by the rule of judgeTogether.
std::size_t blocksWanted(const BlockRule& rule, const MeasuredBlocks& measured);

/// The order of the sides in block number `attempt` (replaced blocks count): a permutation drawn by
/// Philox.
std::vector<std::size_t> blockOrder(std::uint64_t seed, std::size_t attempt, std::size_t sides);

/// Progress of a measurement: a repeat of `side` begins.
struct BlockStep {
  std::size_t block = 0;  ///< from 0
  std::size_t of = 0;
  std::size_t side = 0;
  double secondsLeft = 0;  ///< for everything, including this repeat
};

/// Notified on the thread of BlockMeasurement::run.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void onStep(const BlockStep&) {}
  /// A block was counted as number `index`, from 0.
  virtual void onBlock(std::size_t /*index*/, const MeasuredBlock&) {}
  /// A disturbed block was not counted; it will be measured again.
  virtual void onReplaced(const MeasuredBlock&) {}
};

enum class BlockEnd { Finished, Stopped, Failed };

struct BlockResult {
  BlockEnd end = BlockEnd::Finished;
  std::string reason;          ///< if Failed
  std::size_t failedSide = 0;  ///< if Failed
  MeasuredBlocks measured;     ///< complete blocks only
};

/// Measures several sides in interleaved blocks of random order, so that a temporary slowdown of
/// the machine affects all sides alike. `run` once, on one thread; `stop` and `cancel` from any.
class BlockMeasurement {
 public:
  /// Continues after the blocks in `begun`. Measurer, observer and clock must outlive this object.
  BlockMeasurement(SideMeasurer& measurer, BlockSettings settings, BlockObserver& observer,
                   MeasuredBlocks begun = {}, const Clock& clock = steadyClock());

  /// Repeats of an incomplete block are discarded.
  BlockResult run();
  void stop();
  void cancel();

 private:
  bool stopped() const;
  double secondsLeft(std::size_t of, std::size_t repeatsOfBlock) const;
  /// The next block; nullopt if the measurement ended first, then `result` says how.
  std::optional<MeasuredBlock> measureBlock(std::size_t of, BlockResult& result);

  SideMeasurer& m_measurer;
  const BlockSettings m_settings;
  BlockObserver& m_observer;
  const MeasuredBlocks m_begun;
  const Clock& m_clock;
  double m_repeatSeconds = 0;  ///< total of the measured repeats
  std::size_t m_repeats = 0;

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
