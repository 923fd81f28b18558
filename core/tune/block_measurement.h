// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analyse/verdict.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/run/run_result.h"

namespace millrace {

/// Measures one repeat of a side: what a block is made of.
class SideMeasurer {
 public:
  virtual ~SideMeasurer() = default;
  /// A result with one repeat, or none when it was stopped or failed. An error: it could not begin.
  virtual Result<RunResult> measure(std::size_t side) = 0;
  /// From any thread: ends the repeat that goes on, after what is begun (stop) or at once (cancel),
  /// and lets no other begin.
  virtual void stop() = 0;
  virtual void cancel() = 0;
};

/// One repeat of each side, measured one straight after the other.
struct MeasuredBlock {
  std::vector<SpanFigures> sides;
  /// A repeat of it was (core/metrics/disturbance).
  bool disturbed = false;
};

/// Whether something disturbed one of them.
bool isDisturbed(const std::vector<SpanFigures>& sides);
/// The first thing that did, as core/metrics/disturbance says it; empty: nothing.
std::string disturbanceOf(const std::vector<SpanFigures>& sides);

/// All that is needed to go on later: a plain value.
struct MeasuredBlocks {
  std::vector<MeasuredBlock> blocks;
  std::size_t replaced = 0;  ///< disturbed ones that were measured again
  std::string disturbance;   ///< of the first that was, kept or replaced; empty: not known, or none

  std::size_t disturbed() const;
  /// Samples/s of a side, one a block; 0 where none is known.
  std::vector<double> rates(std::size_t side) const;
};

struct BlockSettings {
  std::size_t sides = 2;
  std::uint64_t seed = 0;
  /// How many blocks there shall be, asked when one is finished. Not below those there are: then
  /// the measurement ends.
  std::function<std::size_t(const MeasuredBlocks&)> wanted;
  /// As many disturbed blocks are replaced; those after them are kept as they are.
  std::size_t mostReplaced = 10;
  /// What a repeat takes, until some were measured: for the time left.
  double secondsPerRepeat = 7;
};

/// The answer for `wanted` when two sides are compared: as judgeTogether says.
std::size_t blocksWanted(const BlockRule& rule, const MeasuredBlocks& measured);

/// The sides in the order of block `attempt`, replaced ones counted: a permutation drawn by Philox.
std::vector<std::size_t> blockOrder(std::uint64_t seed, std::size_t attempt, std::size_t sides);

/// Where a measurement is: a repeat of `side` begins.
struct BlockStep {
  std::size_t block = 0;  ///< from 0
  std::size_t of = 0;
  std::size_t side = 0;
  double secondsLeft = 0;  ///< of the whole, this repeat included
};

/// Hears of a measurement on the thread of BlockMeasurement::run.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void onStep(const BlockStep&) {}
  /// A block counts, as number `index` from 0.
  virtual void onBlock(std::size_t /*index*/, const MeasuredBlock&) {}
  /// A disturbed block does not count; it is measured again.
  virtual void onReplaced(const MeasuredBlock&) {}
};

enum class BlockEnd { Finished, Stopped, Failed };

struct BlockResult {
  BlockEnd end = BlockEnd::Finished;
  std::string reason;          ///< of Failed
  std::size_t failedSide = 0;  ///< of Failed
  MeasuredBlocks measured;     ///< whole blocks alone
};

/// Measures several sides in interleaved blocks of random order, so that what slows the machine
/// for a while slows all sides alike. `run` once, on one thread; `stop` and `cancel` from any.
class BlockMeasurement {
 public:
  /// Goes on behind `begun`. Measurer, observer and clock outlive it.
  BlockMeasurement(SideMeasurer& measurer, BlockSettings settings, BlockObserver& observer,
                   MeasuredBlocks begun = {}, const Clock& clock = steadyClock());

  /// Whatever was measured of an unfinished block is dropped.
  BlockResult run();
  void stop();
  void cancel();

 private:
  bool stopped() const;
  double secondsLeft(std::size_t of, std::size_t repeatsOfBlock) const;
  /// The next block, nothing when it ended before; `result` then says how.
  std::optional<MeasuredBlock> measureBlock(std::size_t of, BlockResult& result);

  SideMeasurer& m_measurer;
  const BlockSettings m_settings;
  BlockObserver& m_observer;
  const MeasuredBlocks m_begun;
  const Clock& m_clock;
  double m_repeatSeconds = 0;  ///< of those measured, together
  std::size_t m_repeats = 0;

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
