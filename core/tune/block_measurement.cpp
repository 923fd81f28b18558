// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/block_measurement.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/measure/store_figures.h"

namespace millrace {

bool isDisturbed(const std::vector<SpanFigures>& sides) {
  return std::ranges::any_of(
      sides, [](const SpanFigures& figures) { return !disturbancesIn(figures).empty(); });
}

std::string disturbanceOf(const std::vector<SpanFigures>& sides) {
  for (const SpanFigures& side : sides)
    if (const std::vector<std::string> found = disturbancesIn(side); !found.empty())
      return found.front();
  return {};
}

std::size_t MeasuredBlocks::disturbed() const {
  return static_cast<std::size_t>(std::ranges::count_if(blocks, &MeasuredBlock::disturbed));
}

std::vector<double> MeasuredBlocks::rates(std::size_t side) const {
  std::vector<double> rates;
  for (const MeasuredBlock& block : blocks)
    rates.push_back(block.sides[side].samplesPerSecond.mean.value_or(0));
  return rates;
}

std::size_t blocksWanted(const BlockRule& rule, const MeasuredBlocks& measured) {
  const std::size_t count = measured.blocks.size();
  if (count < rule.blocks) return rule.blocks;
  const Verdict verdict = judgeTogether(measured.rates(0), measured.rates(1), rule);
  return std::min(count + verdict.moreWanted, std::max(count, rule.blocks + rule.more));
}

std::vector<std::size_t> blockOrder(std::uint64_t seed, std::size_t attempt, std::size_t sides) {
  std::vector<std::size_t> order(sides);
  std::iota(order.begin(), order.end(), std::size_t{0});
  DrawKey key;
  key.seed = seed;
  key.index = static_cast<std::uint32_t>(attempt);
  key.node = static_cast<std::uint32_t>(fnv1a("block order"));
  Draw draw(key);
  for (std::size_t i = sides; i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(i) - 1))]);
  return order;
}

BlockMeasurement::BlockMeasurement(SideMeasurer& measurer, BlockSettings settings,
                                   BlockObserver& observer, MeasuredBlocks begun,
                                   const Clock& clock)
    : m_measurer(measurer),
      m_settings(std::move(settings)),
      m_observer(observer),
      m_begun(std::move(begun)),
      m_clock(clock) {
  MILLRACE_CHECK(m_settings.sides > 0 && m_settings.wanted,
                 "a block has at least one side, and the number of blocks is defined");
}

void BlockMeasurement::stop() {
  {
    const MutexLock lock(m_mutex);
    m_stopped = true;
  }
  m_measurer.stop();
}

void BlockMeasurement::cancel() {
  {
    const MutexLock lock(m_mutex);
    m_stopped = true;
  }
  m_measurer.cancel();
}

bool BlockMeasurement::stopped() const {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

double BlockMeasurement::secondsLeft(std::size_t blocks, std::size_t repeatsOfBlock) const {
  const double each = m_repeats > 0 ? m_repeatSeconds / static_cast<double>(m_repeats)
                                    : m_settings.secondsPerRepeat;
  return each * static_cast<double>(blocks * m_settings.sides - repeatsOfBlock);
}

std::optional<MeasuredBlock> BlockMeasurement::measureBlock(std::size_t of, BlockResult& result) {
  const MeasuredBlocks& measured = result.measured;
  const std::size_t index = measured.blocks.size();
  MeasuredBlock block;
  block.sides.resize(m_settings.sides);
  std::size_t done = 0;
  for (const std::size_t side :
       blockOrder(m_settings.seed, index + measured.replaced, m_settings.sides)) {
    result.end = BlockEnd::Stopped;
    if (stopped()) return std::nullopt;
    m_observer.onStep({index, of, side, secondsLeft(of - index, done)});
    const SteadyTime began = m_clock.now();
    Result<RunResult> repeat = m_measurer.measure(side);
    // A repeat that was complete before the stop is counted.
    if (repeat && repeat->outcome == RunOutcome::Interrupted) return std::nullopt;
    if (!repeat || repeat->outcome == RunOutcome::Failed || repeat->repeats.empty()) {
      result.end = BlockEnd::Failed;
      result.failedSide = side;
      result.reason = repeat ? repeat->reason : repeat.error().message;
      if (result.reason.empty())
        result.reason = "no batch arrived within the measured span; measure for longer";
      return std::nullopt;
    }
    m_repeatSeconds += toSeconds(m_clock.now() - began);
    ++m_repeats;
    ++done;
    block.sides[side] = std::move(repeat->repeats.front());
  }
  block.disturbed = isDisturbed(block.sides);
  result.end = BlockEnd::Finished;
  return block;
}

BlockResult BlockMeasurement::run() {
  BlockResult result;
  result.measured = m_begun;
  MeasuredBlocks& measured = result.measured;
  for (;;) {
    const std::size_t of = m_settings.wanted(measured);
    if (measured.blocks.size() >= of) return result;
    std::optional<MeasuredBlock> block = measureBlock(of, result);
    if (!block) return result;
    if (measured.disturbance.empty()) measured.disturbance = disturbanceOf(block->sides);
    if (block->disturbed && measured.replaced < m_settings.mostReplaced) {
      ++measured.replaced;
      m_observer.onReplaced(*block);
      continue;
    }
    measured.blocks.push_back(*std::move(block));
    m_observer.onBlock(measured.blocks.size() - 1, measured.blocks.back());
  }
}

}  // namespace millrace
