// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/order_quality.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/graph/plan_groups.h"
#include "core/run/index_sampler.h"
#include "core/spec/reads_samples.h"

namespace millrace {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Positions of the epoch's entries in the order of the source.
Numbers positionsBySource(const std::vector<SampleIndex>& order) {
  Numbers positions(order.size());
  std::iota(positions.begin(), positions.end(), 0U);
  std::ranges::sort(positions, {},
                    [&](std::uint32_t at) { return std::tuple(order[at].copy, order[at].index); });
  return positions;
}

/// A number for the file of each entry. Samples of one file have consecutive indices. Empty if each
/// sample has its own file.
Numbers filesOf(const std::vector<SampleIndex>& order, const Numbers& bySource,
                const Source& source) {
  Numbers files(order.size());
  std::uint32_t number = 0;
  std::string last;
  for (std::size_t i = 0; i < bySource.size(); ++i) {
    std::string file = source.file(order[bySource[i]].index);
    if (i > 0 && file != last) ++number;
    files[bySource[i]] = number;
    last = std::move(file);
  }
  return std::size_t{number} + 1 < order.size() ? files : Numbers();
}

/// The class of each entry; empty if a class is not known.
Numbers classesOf(const std::vector<SampleIndex>& order, const Source& source) {
  Numbers classes;
  classes.reserve(order.size());
  for (const SampleIndex& entry : order) {
    const std::int64_t label = source.labelOf(entry.index);
    if (label < 0 || label > std::numeric_limits<std::int32_t>::max()) return {};
    classes.push_back(static_cast<std::uint32_t>(label));
  }
  return classes;
}

}  // namespace

Result<ShuffleQuality> orderQuality(const Plan& plan) {
  MILLRACE_ASSIGN_OR_RETURN(const auto sampler,
                            IndexSampler::make(plan, {}, plan.pipeline.noRandom));
  const std::size_t count = sampler->samplesPerEpoch();
  std::shared_ptr<const EpochIndices> kept;
  const EpochIndices* epoch = sampler->epochOfTicket(0, kept);
  std::vector<SampleIndex> order;
  order.reserve(count);
  for (std::size_t i = 0; epoch != nullptr && i < std::min(count, epoch->samples()); ++i)
    order.push_back(epoch->at(i));
  const Numbers bySource = positionsBySource(order);
  Numbers places(order.size());
  for (std::size_t i = 0; i < bySource.size(); ++i)
    places[bySource[i]] = static_cast<std::uint32_t>(i);
  const Source& source = *plan.pipeline.source;
  const Numbers classes = classesOf(order, source);
  const Numbers files = filesOf(order, bySource, source);
  return shuffleQuality({places, classes, files, static_cast<std::size_t>(plan.batch.size)});
}

namespace {

bool readsSamplesForItsOrder(const Plan& plan) {
  return std::ranges::any_of(plan.orderNodes, [&](std::size_t i) {
    const CheckedNode& node = plan.node(i);
    const auto op = node.spec->order(node.values, buildContext(plan.pipeline, i));
    if (!op) return false;
    const auto* reads = dynamic_cast<const ReadsSamples*>(op->get());
    return reads != nullptr && reads->readsSamples(*plan.pipeline.source);
  });
}

}  // namespace

std::optional<ShuffleQuality> orderFigures(const Plan& plan) {
  constexpr std::size_t kMost = 2'000'000;
  const Source& source = *plan.pipeline.source;
  if (!source.listed() || source.size() < 2 || source.size() > kMost) return std::nullopt;
  if (readsSamplesForItsOrder(plan)) return std::nullopt;
  const Result<ShuffleQuality> quality = orderQuality(plan);
  if (!quality || quality->samples < 2) return std::nullopt;
  return *quality;
}

std::optional<Problem> orderProblem(const ShuffleQuality& quality, const Plan& plan) {
  // The source's own order is not meant to be mixed.
  if (!isPoorlyMixed(quality) || quality.distance.value == 0) return std::nullopt;
  Problem problem;
  problem.severity = Severity::Warning;
  if (plan.orderNodes.size() == 1) problem.node = plan.node(plan.orderNodes.front()).id;
  problem.message = fmt::format(
      "the classes come in blocks: a batch has {:.2f} bits of class entropy on average, but {:.2f} "
      "after a full shuffle",
      quality.batchEntropy->value, quality.batchEntropy->full);
  problem.remedy = "shuffle fully, or with a larger window or more files";
  return problem;
}

}  // namespace millrace
