// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/order_cursor.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/graph/plan_groups.h"

namespace millrace {

std::size_t EpochOrder::rowsOf(std::uint64_t b) const {
  const std::size_t from = static_cast<std::size_t>(b) * batchSize;
  return std::min(batchSize, samples - from);
}

OrderCursor::OrderCursor(const Plan& plan, const OrderLimits& limits, bool noRandom)
    : m_plan(plan), m_limits(limits), m_noRandom(noRandom) {
  // Threads are held up by the slots of the first queue, with what they have claimed beside it.
  const std::uint64_t threads = plan.stages.front().threads;
  const std::uint64_t slots = plan.queues.empty() ? 1 : plan.queues.front().slotCount;
  m_outstanding =
      threads * kMostClaimed + (slots + threads) * static_cast<std::uint64_t>(plan.batch.size);
}

Result<std::unique_ptr<OrderCursor>> OrderCursor::make(const Plan& plan, const OrderLimits& limits,
                                                       bool noRandom) {
  std::unique_ptr<OrderCursor> cursor(new OrderCursor(plan, limits, noRandom));
  for (const std::size_t i : plan.orderNodes) {
    const CheckedNode& node = plan.node(i);
    auto op = node.spec->order(node.values, buildContext(plan.pipeline, i));
    if (!op) return Error{node.id + ": " + op.error().message};
    cursor->m_ops.push_back(op.take());
  }
  auto first = cursor->computeEpoch(limits.startEpoch, 0, 0);
  if (!first) return first.error();
  const EpochOrder& epoch = **first;
  if (limits.startBatch >= epoch.batches())
    return Error{
        fmt::format("epoch {} has {} batches, numbered from 0; it cannot start at batch {}",
                    epoch.epoch, epoch.batches(), limits.startBatch)};
  cursor->m_firstSamples = epoch.samples;
  cursor->m_nextTicket = limits.startBatch * epoch.batchSize;
  cursor->m_nextBatch = limits.startBatch;
  const MutexLock lock(cursor->m_mutex);
  cursor->m_epochs.push_back(*first);
  cursor->applyLimits(epoch);
  return cursor;
}

Result<std::shared_ptr<const EpochOrder>> OrderCursor::computeEpoch(std::uint32_t epoch,
                                                                    std::uint64_t ticket,
                                                                    std::uint64_t batch) {
  const auto begin = std::chrono::steady_clock::now();
  const Source& source = *m_plan.pipeline.source;
  auto result = std::make_shared<EpochOrder>();
  result->epoch = epoch;
  result->firstTicket = ticket;
  result->firstBatch = batch;
  result->batchSize = static_cast<std::size_t>(m_plan.batch.size);
  result->order.resize(source.size());
  for (std::uint32_t i = 0; i < source.size(); ++i) result->order[i] = {i, 0};
  for (std::size_t i = 0; i < m_ops.size(); ++i)
    m_ops[i]->apply(result->order,
                    {m_plan.pipeline.seed, epoch, m_plan.node(m_plan.orderNodes[i]).drawKey(),
                     m_noRandom, &source});
  const std::size_t samples = result->order.size();
  result->samples = m_plan.batch.dropLast ? samples - samples % result->batchSize : samples;
  const auto spent = std::chrono::steady_clock::now() - begin;
  m_orderNs.fetch_add(static_cast<std::uint64_t>(spent.count()), std::memory_order_relaxed);
  if (samples == 0)
    return Error{"no sample is left of the source's " + std::to_string(source.size()) +
                 "; loosen take, split or shard"};
  if (result->samples == 0)
    return Error{
        fmt::format("an epoch has {} samples and no full batch of {}; lower batch.size or "
                    "turn drop_last off",
                    samples, result->batchSize)};
  return std::shared_ptr<const EpochOrder>(result);
}

std::shared_ptr<const EpochOrder> OrderCursor::appendEpoch() {
  const EpochOrder& last = *m_epochs.back();
  auto next = computeEpoch(last.epoch + 1, last.endTicket(), last.endBatch());
  // The first epoch had samples, and order operations keep their sizes from epoch to epoch.
  MILLRACE_CHECK(next.ok(), "a later epoch has samples as the first had");
  m_epochs.push_back(*next);
  dropOldEpochs();
  applyLimits(**next);
  return *next;
}

void OrderCursor::dropOldEpochs() {
  const EpochOrder& newest = *m_epochs.back();
  while (m_epochs.size() > 2 && m_epochs.front()->endTicket() + m_outstanding < newest.firstTicket)
    m_epochs.pop_front();
}

void OrderCursor::applyLimits(const EpochOrder& epoch) {
  const auto endAt = [&](std::uint64_t batch) {
    const std::uint64_t within = (batch - epoch.firstBatch) * epoch.batchSize;
    // Whoever is refused a ticket finds the batch that the run ends at.
    m_limitBatch = batch;
    m_limitTicket = epoch.firstTicket + std::min<std::uint64_t>(within, epoch.samples);
  };
  if (m_limits.batches) {
    const std::uint64_t end = m_limits.startBatch + *m_limits.batches;
    if (end <= epoch.endBatch() && end < m_limitBatch) endAt(end);
  }
  const bool lastEpoch =
      m_limits.epochs && epoch.epoch + 1 - m_limits.startEpoch >= *m_limits.epochs;
  if (lastEpoch && epoch.endBatch() < m_limitBatch) endAt(epoch.endBatch());
}

std::shared_ptr<const EpochOrder> OrderCursor::findLocked(std::uint64_t number, const Span& span,
                                                          const std::atomic<std::uint64_t>& limit) {
  for (;;) {
    if (number >= limit) return nullptr;
    // From the newest back: with tiny epochs there are many, and the wanted one is rarely old.
    const auto found = std::find_if(m_epochs.rbegin(), m_epochs.rend(),
                                    [&](const auto& epoch) { return span.holds(*epoch, number); });
    if (found != m_epochs.rend()) return *found;
    MILLRACE_CHECK(number >= (*m_epochs.front()).*span.first, "no thread lags behind its slots");
    appendEpoch();
  }
}

const EpochOrder* OrderCursor::find(std::uint64_t number, const Span& span,
                                    const std::atomic<std::uint64_t>& limit,
                                    std::shared_ptr<const EpochOrder>& cached) {
  if (number >= limit.load(std::memory_order_acquire)) return nullptr;
  if (cached && span.holds(*cached, number)) return cached.get();
  const MutexLock lock(m_mutex);
  auto found = findLocked(number, span, limit);
  if (found) cached = std::move(found);
  return number < limit ? cached.get() : nullptr;
}

const EpochOrder* OrderCursor::epochOfTicket(std::uint64_t ticket,
                                             std::shared_ptr<const EpochOrder>& cached) {
  return find(ticket, {&EpochOrder::firstTicket, &EpochOrder::endTicket}, m_limitTicket, cached);
}

const EpochOrder* OrderCursor::epochOfBatch(std::uint64_t batch,
                                            std::shared_ptr<const EpochOrder>& cached) {
  return find(batch, {&EpochOrder::firstBatch, &EpochOrder::endBatch}, m_limitBatch, cached);
}

std::uint64_t OrderCursor::stop() {
  const MutexLock lock(m_mutex);
  const std::uint64_t ticket = m_nextTicket;
  const std::uint64_t batch = m_nextBatch;
  // Whoever holds a ticket behind the last epoch has not begun its sample and will be refused.
  const EpochOrder* epoch = m_epochs.back().get();
  for (const auto& candidate : m_epochs)
    if (ticket > candidate->firstTicket && ticket <= candidate->endTicket())
      epoch = candidate.get();
  const std::uint64_t within = std::min<std::uint64_t>(
      ticket > epoch->firstTicket ? ticket - epoch->firstTicket : 0, epoch->samples);
  const std::uint64_t begun = (within + epoch->batchSize - 1) / epoch->batchSize;
  const std::uint64_t bySamples = epoch->firstBatch + begun;
  const std::uint64_t end = std::min<std::uint64_t>(m_limitBatch, std::max(batch, bySamples));
  m_limitBatch = end;
  m_limitTicket = std::min<std::uint64_t>(
      m_limitTicket,
      epoch->firstTicket + std::min<std::uint64_t>(begun * epoch->batchSize, epoch->samples));
  return end;
}

std::optional<std::uint64_t> OrderCursor::end() const {
  const std::uint64_t limit = m_limitBatch.load(std::memory_order_acquire);
  if (limit == UINT64_MAX) return std::nullopt;
  return limit;
}

}  // namespace millrace
