// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/index_sampler.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/graph/plan_groups.h"
#include "core/run/growing_epoch.h"

namespace millrace {

IndexSampler::IndexSampler(const Plan& plan, const OrderLimits& limits, bool noRandom)
    : m_plan(plan), m_limits(limits), m_noRandom(noRandom) {
  // A thread lags at most by the batches of the first queue and by what it has claimed itself.
  const std::uint64_t threads = plan.stages.front().threads;
  const std::uint64_t slots =
      plan.queues.empty() ? 1 : plan.queues.front().slotCount + plan.queues.front().reorderSlots;
  m_outstanding =
      threads * kMostClaimed + (slots + threads) * static_cast<std::uint64_t>(plan.batch.size);
  // Threads that read ahead look up later tickets than any worker.
  if (plan.readAhead.samples > 0) m_outstanding += plan.readAhead.samples + threads;
}

IndexSampler::~IndexSampler() = default;

Result<std::unique_ptr<IndexSampler>> IndexSampler::make(const Plan& plan,
                                                         const OrderLimits& limits, bool noRandom) {
  std::unique_ptr<IndexSampler> sampler(new IndexSampler(plan, limits, noRandom));
  std::string varies;  ///< the node whose samples vary from epoch to epoch
  for (const std::size_t i : plan.orderNodes) {
    const CheckedNode& node = plan.node(i);
    auto op = node.spec->order(node.values, buildContext(plan.pipeline, i));
    if (!op) return Error{node.id + ": " + op.error().message};
    if (const std::string why = (*op)->whyNotAfterVarying(); !varies.empty() && !why.empty())
      return Error{fmt::format("{}: {}, but `{}` before it chooses other samples in each epoch",
                               node.id, why, varies)};
    if ((*op)->varies()) varies = node.id;
    sampler->m_ops.push_back(op.take());
  }
  const MutexLock lock(sampler->m_mutex);
  sampler->beginGrowing(limits.startBatch);
  if (sampler->m_epochs.empty())
    sampler->m_epochs.push_back(
        sampler->computeEpoch({limits.startEpoch, 0, 0}, limits.startOffset));
  const EpochIndices& epoch = *sampler->m_epochs.back();
  if (epoch.whole()) sampler->setSizes(epoch);
  MILLRACE_TRY(sampler->refusalOf(epoch));
  sampler->m_firstTicket = limits.startBatch * epoch.batchSize;
  if (limits.startBatch == epoch.batches() && epoch.whole())
    sampler->m_firstTicket = epoch.endTicket();
  sampler->m_nextTicket = sampler->firstTicket();
  sampler->m_nextBatch = limits.startBatch;
  sampler->applyLimits(epoch);
  return sampler;
}

void IndexSampler::setSizes(const EpochIndices& first) {
  m_startSamples = first.samples();
  m_epochSamples = m_startSamples;
  if (m_limits.startOffset > 0)
    m_epochSamples = computeEpoch({m_limits.startEpoch, 0, 0})->samples();
}

Status IndexSampler::refusalOf(const EpochIndices& first) const {
  if (m_limits.mayStartAtEnd && first.whole() && m_epochSamples > 0 &&
      m_limits.startBatch == first.batches())
    return {};
  if (first.entries() == 0)
    return Error{fmt::format(
        "no sample is left of the {} in the source; loosen filter, take, split or shard",
        m_plan.pipeline.source->size())};
  if (first.samples() == 0)
    return Error{
        fmt::format("an epoch has {} samples, fewer than one batch of {}; lower batch.size or "
                    "turn drop_last off",
                    first.entries(), first.batchSize)};
  if (m_limits.startBatch >= first.batches())
    return Error{fmt::format(
        "epoch {} has {} batch{}, numbered from 0; it cannot start at batch {}", first.epoch,
        first.batches(), first.batches() == 1 ? "" : "es", m_limits.startBatch)};
  return {};
}

std::vector<OrderContext> IndexSampler::contextsOf(std::uint32_t epoch) const {
  std::vector<OrderContext> contexts;
  for (const std::size_t i : m_plan.orderNodes)
    contexts.push_back({m_plan.pipeline.seed, epoch, m_plan.node(i).drawKey(), m_noRandom,
                        m_plan.pipeline.source.get()});
  // A node after one that divides the order sees only the entries of this process.
  auto step = static_cast<std::size_t>(m_plan.batch.size);
  for (std::size_t i = contexts.size(); i-- > 0;) {
    contexts[i].step = step;
    step *= m_ops[i]->processes();
  }
  return contexts;
}

/// Starts the first epoch and extends it up to batch `startBatch`, if its source is not scanned yet
/// and the order does not need a complete scan.
void IndexSampler::beginGrowing(std::uint64_t startBatch) {
  if (m_limits.startOffset > 0) return;
  auto order = std::make_shared<EpochIndices>(EpochIndices::Begin{m_limits.startEpoch, 0, 0},
                                              static_cast<std::size_t>(m_plan.batch.size));
  m_growing = GrowingEpoch::make(m_plan, m_ops, contextsOf(m_limits.startEpoch), order);
  if (m_growing == nullptr) return;
  m_epochs.push_back(order);
  while (m_growing && order->batches() <= startBatch) growEpoch();
}

void IndexSampler::growEpoch() {
  const auto begin = std::chrono::steady_clock::now();
  m_growing->grow();
  const auto spent = std::chrono::steady_clock::now() - begin;
  m_orderNs.fetch_add(static_cast<std::uint64_t>(spent.count()), std::memory_order_relaxed);
  const EpochIndices& epoch = *m_epochs.back();
  if (epoch.whole()) {
    setSizes(epoch);
    m_growing.reset();
  }
  applyLimits(epoch);
}

std::uint64_t IndexSampler::samplesPerEpoch() {
  const MutexLock lock(m_mutex);
  while (m_growing) growEpoch();
  return m_epochSamples;
}

std::optional<std::uint64_t> IndexSampler::knownSamplesPerEpoch() const {
  const MutexLock lock(m_mutex);
  if (m_growing) return std::nullopt;
  return m_epochSamples;
}

std::optional<std::uint64_t> IndexSampler::knownStartSamples() const {
  const MutexLock lock(m_mutex);
  if (m_growing) return std::nullopt;
  return m_startSamples;
}

std::shared_ptr<const EpochIndices> IndexSampler::computeEpoch(const EpochIndices::Begin& begin,
                                                               std::uint64_t offset) {
  const auto began = std::chrono::steady_clock::now();
  const std::uint32_t size = m_plan.pipeline.source->size();
  std::vector<SampleIndex> order(size);
  for (std::uint32_t i = 0; i < size; ++i) order[i] = {i, 0};
  const std::vector<OrderContext> contexts = contextsOf(begin.epoch);
  const auto dividing = static_cast<std::size_t>(
      std::ranges::find_if(m_ops, [](const auto& op) { return op->processes() > 1; }) -
      m_ops.begin());
  for (std::size_t i = 0; i < dividing; ++i) m_ops[i]->apply(order, contexts[i]);
  order.erase(order.begin(),
              order.begin() + static_cast<std::ptrdiff_t>(std::min(offset, order.size())));
  for (std::size_t i = dividing; i < m_ops.size(); ++i) m_ops[i]->apply(order, contexts[i]);
  auto result = std::make_shared<EpochIndices>(begin, static_cast<std::size_t>(m_plan.batch.size));
  result->setWhole(std::move(order), m_plan.batch.dropLast);
  const auto spent = std::chrono::steady_clock::now() - began;
  m_orderNs.fetch_add(static_cast<std::uint64_t>(spent.count()), std::memory_order_relaxed);
  return result;
}

void IndexSampler::appendEpoch() {
  const EpochIndices& last = *m_epochs.back();
  auto next = computeEpoch({last.epoch + 1, last.endTicket(), last.endBatch()});
  // The first epoch had samples, and order operations keep their sizes from epoch to epoch.
  MILLRACE_CHECK(next->samples() > 0, "every epoch has samples if the first one had");
  if (m_onEpoch) m_onEpoch(*next);
  m_epochs.push_back(std::move(next));
  m_computedTicket = m_epochs.back()->endTicket();
  dropOldEpochs();
  applyLimits(*m_epochs.back());
}

void IndexSampler::dropOldEpochs() {
  // For samples that are started early, the newest epoch is computed long before its first ticket
  // is taken. If whole batches are taken, no ticket is.
  std::uint64_t taken = m_epochs.back()->firstTicket;
  if (const std::uint64_t next = m_nextTicket; next > firstTicket()) taken = std::min(taken, next);
  while (m_epochs.size() > 2 && m_epochs.front()->endTicket() + m_outstanding < taken)
    m_epochs.pop_front();
}

void IndexSampler::applyLimits(const EpochIndices& epoch) {
  const auto endAt = [&](std::uint64_t batch) {
    const std::uint64_t within = (batch - epoch.firstBatch) * epoch.batchSize;
    // Set first: a thread that is refused a ticket must find the batch at which the run ends.
    m_limitBatch = batch;
    m_limitTicket = epoch.firstTicket + std::min<std::uint64_t>(within, epoch.samples());
  };
  if (m_limits.batches) {
    const std::uint64_t end = m_limits.startBatch + *m_limits.batches;
    if (end <= epoch.endBatch() && end < m_limitBatch) endAt(end);
  }
  const bool lastEpoch =
      epoch.whole() && m_limits.epochs && epoch.epoch + 1 - m_limits.startEpoch >= *m_limits.epochs;
  if (lastEpoch && epoch.endBatch() < m_limitBatch) endAt(epoch.endBatch());
}

std::shared_ptr<const EpochIndices> IndexSampler::findLocked(
    std::uint64_t number, const Span& span, const std::atomic<std::uint64_t>& limit) {
  for (;;) {
    if (number >= limit) return nullptr;
    // Newest first: there can be many tiny epochs, and the wanted one is rarely old.
    const auto found = std::find_if(m_epochs.rbegin(), m_epochs.rend(),
                                    [&](const auto& epoch) { return span.holds(*epoch, number); });
    if (found != m_epochs.rend()) return *found;
    MILLRACE_CHECK(number >= (*m_epochs.front()).*span.first,
                   "no thread lags further than mostOutstanding()");
    if (m_growing)
      growEpoch();
    else
      appendEpoch();
  }
}

const EpochIndices* IndexSampler::find(std::uint64_t number, const Span& span,
                                       const std::atomic<std::uint64_t>& limit,
                                       std::shared_ptr<const EpochIndices>& cached) {
  if (number >= limit.load(std::memory_order_acquire)) return nullptr;
  if (cached && span.holds(*cached, number)) return cached.get();
  const MutexLock lock(m_mutex);
  auto found = findLocked(number, span, limit);
  if (found) cached = std::move(found);
  return number < limit ? cached.get() : nullptr;
}

const EpochIndices* IndexSampler::epochOfTicket(std::uint64_t ticket,
                                                std::shared_ptr<const EpochIndices>& cached) {
  return find(ticket, {&EpochIndices::firstTicket, &EpochIndices::endTicket}, m_limitTicket,
              cached);
}

const EpochIndices* IndexSampler::epochOfBatch(std::uint64_t batch,
                                               std::shared_ptr<const EpochIndices>& cached) {
  return find(batch, {&EpochIndices::firstBatch, &EpochIndices::endBatch}, m_limitBatch, cached);
}

void IndexSampler::computeUntil(std::uint64_t ticket) {
  if (ticket < m_computedTicket.load(std::memory_order_relaxed)) return;
  const MutexLock lock(m_mutex);
  while (!m_growing &&
         m_epochs.back()->endTicket() <= std::min<std::uint64_t>(ticket, m_limitTicket - 1))
    appendEpoch();
}

std::uint64_t IndexSampler::stop() {
  const MutexLock lock(m_mutex);
  const std::uint64_t ticket = m_nextTicket;
  const std::uint64_t batch = m_nextBatch;
  // The epoch in progress; reading ahead may have computed later ones. A thread that holds a ticket
  // after the end has not started its sample and will be refused.
  const EpochIndices* epoch = m_epochs.front().get();
  for (const auto& candidate : m_epochs)
    if (ticket > candidate->firstTicket) epoch = candidate.get();
  const std::uint64_t within = std::min<std::uint64_t>(
      ticket > epoch->firstTicket ? ticket - epoch->firstTicket : 0, epoch->samples());
  const std::uint64_t begun = (within + epoch->batchSize - 1) / epoch->batchSize;
  const std::uint64_t bySamples = epoch->firstBatch + begun;
  const std::uint64_t end = std::min<std::uint64_t>(m_limitBatch, std::max(batch, bySamples));
  m_limitBatch = end;
  m_limitTicket = std::min<std::uint64_t>(
      m_limitTicket,
      epoch->firstTicket + std::min<std::uint64_t>(begun * epoch->batchSize, epoch->samples()));
  return end;
}

std::optional<std::uint64_t> IndexSampler::end() const {
  const std::uint64_t limit = m_limitBatch.load(std::memory_order_acquire);
  if (limit == UINT64_MAX) return std::nullopt;
  return limit;
}

}  // namespace millrace
