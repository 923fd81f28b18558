// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/row_pipeline.h"

#include <algorithm>
#include <chrono>

#include "core/run/row_op.h"

namespace millrace {

namespace {

std::uint64_t nowNs() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

std::byte* SlotRow::take(std::size_t i, std::size_t bytes) {
  const std::size_t f = i == kRecord ? m_record : i;
  return m_slot->isRagged(m_phase, f) ? m_slot->raggedPlace(m_phase, f, m_row, bytes) : nullptr;
}

RowPipeline::RowPipeline(const RunParts& parts, const PlanPhase& phase, std::size_t phaseIndex,
                         ThreadCounters& counters)
    : m_parts(parts),
      m_phase(phase),
      m_phaseIndex(phaseIndex),
      m_counters(counters),
      m_timing(phase.rowGroups.size() + 4) {}

Result<std::unique_ptr<RowPipeline>> RowPipeline::make(const RunParts& parts,
                                                       const PlanPhase& phase,
                                                       std::size_t phaseIndex, bool fromSource,
                                                       ThreadCounters& counters) {
  std::unique_ptr<RowPipeline> rows(new RowPipeline(parts, phase, phaseIndex, counters));
  if (fromSource) rows->m_reader = parts.plan.pipeline.source->reader();
  rows->m_liveVersion = parts.live.version();
  for (const PlanGroup& group : phase.rowGroups) MILLRACE_TRY(rows->makeStep(group));
  rows->assignOffers();
  // A node that parses makes several fields of one: there is room for them from the start.
  for (const CheckedNode& node : parts.plan.pipeline.nodes)
    rows->m_mostFields = std::max(rows->m_mostFields, node.out.fields.size());
  return rows;
}

Status RowPipeline::makeStep(const PlanGroup& group) {
  const CheckedNode& first = m_parts.plan.node(group.nodes.front());
  Step step;
  step.node = group.nodes.front();
  step.nodes = group.nodes;
  step.context = {m_parts.plan.pipeline.seed, first.drawKey(), m_parts.noRandom};
  step.cache = m_parts.caches.find(first.id);
  if (step.cache != nullptr)
    m_hasCache = true;
  else
    MILLRACE_TRY(buildOp(step));
  if (step.op != nullptr) countFor(step);
  m_steps.push_back(std::move(step));
  return {};
}

void RowPipeline::countFor(Step& step) {
  if constexpr (!MILLRACE_COUNTERS) return;
  std::vector<std::string> names = step.op->tallyNames();
  if (names.empty()) return;
  m_counters.tallies[step.node] = std::make_unique<Tally>(std::move(names));
  step.context.tally = m_counters.tallies[step.node].get();
}

Status RowPipeline::buildOp(Step& step) {
  step.version = 0;
  for (const std::size_t node : step.nodes)
    step.version = std::max(step.version, m_parts.live.versionOf(node));
  auto op = makeRowOp(m_parts, step.nodes);
  if (!op) return op.error();
  step.op = op.take();
  return {};
}

/// The last step that gives a field new memory is offered the field's place in the batch; where no
/// step does, the source itself is. Nothing in front of a step that rearranges fields is: what is
/// made there may end in another field's place.
void RowPipeline::assignOffers() {
  const auto rearranging = std::find_if(m_steps.rbegin(), m_steps.rend(), [](const Step& step) {
    return step.op != nullptr && step.op->rearranges();
  });
  const auto end = rearranging == m_steps.rend() ? rearranging : std::next(rearranging);
  for (std::size_t f = 0; f < m_phase.out.fields.size(); ++f) {
    const auto last = std::find_if(m_steps.rbegin(), end, [&](const Step& step) {
      if (step.op == nullptr) return false;
      const std::vector<std::size_t> fields = step.op->replaces();
      return std::find(fields.begin(), fields.end(), f) != fields.end();
    });
    if (last != end)
      last->offers.push_back(f);
    else if (m_reader && !m_hasCache && rearranging == m_steps.rend())
      m_readerOffers.push_back(f);
  }
  if (const auto first = firstKept()) m_row.emplace(m_phaseIndex, *first);
}

/// The first field whose values go into the batch as the source reads them. None unless all of
/// unknown length do, because a record of several fields is read as a whole, and they are bytes,
/// because they lie at any address.
std::optional<std::size_t> RowPipeline::firstKept() const {
  const std::vector<FieldSpec>& read = m_parts.plan.node(m_parts.plan.source).out.fields;
  std::optional<std::size_t> first;
  for (std::size_t f = 0; f < read.size(); ++f) {
    if (!isRagged(read[f])) continue;
    const bool bytes = read[f].dtype == DType::Encoded || sizeOf(read[f].dtype) == 1;
    const bool kept = std::ranges::find(m_readerOffers, f) != m_readerOffers.end();
    if (!bytes || !kept || !isRagged(m_phase.out.fields[f])) return std::nullopt;
    if (!first) first = f;
  }
  return first;
}

Status RowPipeline::renewLive() {
  m_liveVersion = m_parts.live.version();
  for (Step& step : m_steps) {
    if (step.op == nullptr) continue;
    std::uint64_t newest = 0;
    for (const std::size_t node : step.nodes)
      newest = std::max(newest, m_parts.live.versionOf(node));
    if (newest != step.version) MILLRACE_TRY(buildOp(step));
  }
  return {};
}

void RowPipeline::beginTiming() {
  m_timed = MILLRACE_COUNTERS && (m_counters.trace != nullptr || m_timing.next());
  if (m_timed) m_started = m_lastLap = nowNs();
}

/// A node is done with a timed sample.
void RowPipeline::lap(std::size_t node) {
  const std::uint64_t now = nowNs();
  m_counters.node[node].time(now - m_lastLap);
  m_counters.traced(TraceSpan::Kind::Node, node, m_sample.key().index, m_lastLap, now);
  m_lastLap = now;
}

std::uint64_t RowPipeline::sampleBytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t f = 0; f < m_sample.fields(); ++f) bytes += m_sample[f].bytes;
  return bytes;
}

void RowPipeline::offer(const std::vector<std::size_t>& fields, BatchSlot* slot, std::size_t row) {
  if (slot == nullptr) return;
  for (const std::size_t f : fields)
    if (std::byte* place = slot->rowPlace(m_phaseIndex, f, row))
      m_sample.offer(f, place, slot->rowBytes(m_phaseIndex, f));
}

Result<bool> RowPipeline::failed(std::size_t node, const std::string& reason) {
  if constexpr (MILLRACE_COUNTERS) {
    m_counters.node[node].failed.add(1);
    if (m_timed) m_counters.node[node].failedNs.add(nowNs() - m_started);
    m_counters.samples.add(1);
  }
  const std::uint32_t index = m_sample.key().index;
  MILLRACE_TRY(m_parts.failures.record(index, m_parts.plan.node(node).id,
                                       m_parts.plan.pipeline.source->name(index), reason));
  return false;
}

void RowPipeline::countStep(const Step& step, std::uint64_t bytesIn) {
  if constexpr (!MILLRACE_COUNTERS) return;
  NodeCounters& counters = m_counters.node[step.node];
  counters.items.add(1);
  counters.bytesIn.add(bytesIn);
  counters.bytesOut.add(sampleBytes());
  if (m_timed) lap(step.node);
}

std::size_t RowPipeline::loadFromCache() {
  if (!m_hasCache) return 0;
  for (std::size_t i = m_steps.size(); i-- > 0;)
    if (m_steps[i].cache != nullptr && m_steps[i].cache->load(m_sample)) {
      countStep(m_steps[i], 0);
      return i + 1;
    }
  return 0;
}

/// From where it was read ahead, else by this thread. Waiting for a read is the source's time.
Status RowPipeline::readSample(const SampleKey& key, BatchSlot* slot, std::size_t row,
                               std::optional<std::uint64_t> ticket) {
  if (m_parts.readAhead != nullptr && ticket) m_loan = m_parts.readAhead->take(*ticket);
  if (!m_loan) {
    offer(m_readerOffers, slot, row);
    if (m_row && slot != nullptr) {
      m_row->set(*slot, row);
      m_sample.offer(*m_row);
    }
    return m_reader->read(key.index, m_sample, m_counters.reads);
  }
  if (!m_loan->status) return m_loan->status;
  for (std::size_t f = 0; f < m_loan->sample.fields(); ++f) m_sample.borrow(f, m_loan->sample[f]);
  return {};
}

Result<bool> RowPipeline::countRead(const Status& read) {
  const std::size_t source = m_parts.plan.source;
  if (!read) return failed(source, read.error().message);
  if constexpr (MILLRACE_COUNTERS) {
    NodeCounters& counters = m_counters.node[source];
    counters.items.add(1);
    counters.bytesOut.add(sampleBytes());
    if (m_timed) lap(source);
  }
  return true;
}

Result<bool> RowPipeline::runSteps(std::size_t from, BatchSlot* slot, std::size_t row) {
  for (std::size_t i = from; i < m_steps.size(); ++i) {
    Step& step = m_steps[i];
    const std::uint64_t bytesIn = MILLRACE_COUNTERS ? sampleBytes() : 0;
    if (step.cache != nullptr) {
      step.cache->store(m_sample);
    } else {
      offer(step.offers, slot, row);
      if (Status done = step.op->process(m_sample, step.context); !done)
        return failed(step.node, done.error().message);
    }
    countStep(step, bytesIn);
  }
  return true;
}

Result<bool> RowPipeline::fromSource(const SampleKey& key, BatchSlot* slot, std::size_t row,
                                     std::optional<std::uint64_t> ticket) {
  m_loan.reset();
  if (m_parts.live.version() != m_liveVersion) MILLRACE_TRY(renewLive());
  beginTiming();
  m_sample.reset(key, m_mostFields);
  const std::size_t from = loadFromCache();
  if (from == 0) {
    Result<bool> read = countRead(readSample(key, slot, row, ticket));
    if (!read || !*read) return read;
  } else if (m_parts.readAhead != nullptr && ticket) {
    m_parts.readAhead->pass(*ticket);
  }
  return worked(runSteps(from, slot, row));
}

/// What it took so far: the sample may have to wait for its row, which is no work.
Result<bool> RowPipeline::worked(Result<bool> result) {
  if (m_timed) m_workedNs = nowNs() - m_started;
  return result;
}

Result<bool> RowPipeline::fromRow(const Batch& before, std::size_t beforeRow, BatchSlot& slot,
                                  std::size_t row) {
  if (m_parts.live.version() != m_liveVersion) MILLRACE_TRY(renewLive());
  beginTiming();
  m_sample.reset(before.keys[beforeRow], m_mostFields);
  for (std::size_t f = 0; f < before.fields.size(); ++f)
    m_sample.borrow(f, before.fields[f].rows[beforeRow]);
  return worked(runSteps(loadFromCache(), &slot, row));
}

Result<bool> RowPipeline::put(BatchSlot& slot, std::size_t row) {
  const std::uint64_t begin = m_timed ? nowNs() : 0;
  const Status placed = slot.putRow(m_phaseIndex, row, m_sample);
  m_loan.reset();
  if (!placed) return failed(m_parts.plan.batchNode, placed.error().message);
  if constexpr (MILLRACE_COUNTERS) {
    m_counters.samples.add(1);
    if (m_timed) {
      const std::uint64_t end = nowNs();
      const std::uint64_t ns = m_workedNs + end - begin;
      m_counters.traced(TraceSpan::Kind::Row, 0, m_sample.key().index, begin, end);
      m_counters.timedSamples.add(1);
      m_counters.timedSampleNs.add(ns);
      m_timing.took(ns);
    }
  }
  return true;
}

}  // namespace millrace
