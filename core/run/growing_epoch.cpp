// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/growing_epoch.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace millrace {

namespace {

/// Samples to scan at a time; a thousand record headers take about a millisecond.
constexpr std::uint32_t kStep = 1024;

}  // namespace

GrowingEpoch::GrowingEpoch(const Plan& plan, std::shared_ptr<EpochIndices> order)
    : m_source(plan.pipeline.source), m_dropLast(plan.batch.dropLast), m_order(std::move(order)) {}

std::unique_ptr<GrowingEpoch> GrowingEpoch::make(
    const Plan& plan, const std::vector<std::shared_ptr<const IndexTransform>>& ops,
    const std::vector<OrderContext>& contexts, std::shared_ptr<EpochIndices> order) {
  if (plan.pipeline.source->listed()) return nullptr;
  std::unique_ptr<GrowingEpoch> epoch(new GrowingEpoch(plan, std::move(order)));
  for (std::size_t i = 0; i < ops.size(); ++i) {
    epoch->m_streams.push_back(ops[i]->stream(contexts[i]));
    if (epoch->m_streams.back() == nullptr) return nullptr;
  }
  return epoch;
}

void GrowingEpoch::grow() {
  const std::size_t before = m_order->samples();
  while (!m_order->whole() && m_order->samples() == before) takeNext();
}

void GrowingEpoch::takeNext() {
  const std::uint32_t wanted =
      m_taken + std::min(kStep, std::numeric_limits<std::uint32_t>::max() - m_taken);
  const std::uint32_t known = m_source->atLeast(wanted);
  bool last = known < wanted || known == m_taken;
  m_in.clear();
  for (; m_taken < known; ++m_taken) m_in.push_back({m_taken, 0});
  for (const auto& stream : m_streams) {
    m_out.clear();
    if (!stream->done()) stream->next(m_in, last, m_out);
    last = last || stream->done();
    std::swap(m_in, m_out);
  }
  m_order->append(m_in, last, m_dropLast);
}

}  // namespace millrace
