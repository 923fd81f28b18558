// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/sample_pipeline.h"

#include <algorithm>
#include <chrono>

#include "core/run/group_op.h"

namespace millrace {

std::byte* SlotRow::take(std::size_t i, std::size_t bytes) {
  const std::size_t f = i == kRecord ? m_record : i;
  return m_slot->isRagged(m_segment, f) ? m_slot->raggedPlace(m_segment, f, m_row, bytes) : nullptr;
}

SamplePipeline::SamplePipeline(const RunParts& parts, const StageSegment& segment,
                               std::size_t segmentIndex, ThreadCounters& counters)
    : m_parts(parts),
      m_segment(segment),
      m_segmentIndex(segmentIndex),
      m_counters(counters),
      m_timing(segment.sampleGroups.size() + 4) {}

Result<std::unique_ptr<SamplePipeline>> SamplePipeline::make(const RunParts& parts,
                                                             const StageSegment& segment,
                                                             std::size_t segmentIndex,
                                                             bool fromSource,
                                                             ThreadCounters& counters) {
  std::unique_ptr<SamplePipeline> pipeline(
      new SamplePipeline(parts, segment, segmentIndex, counters));
  if (fromSource) pipeline->m_reader = parts.plan.pipeline.source->reader();
  pipeline->m_liveVersion = parts.live.version();
  for (const PlanGroup& group : segment.sampleGroups) MILLRACE_TRY(pipeline->makeStep(group));
  pipeline->assignOffers();
  // A parsing node turns one field into several: reserve the largest number from the start.
  for (const CheckedNode& node : parts.plan.pipeline.nodes)
    pipeline->m_mostFields = std::max(pipeline->m_mostFields, node.out.fields.size());
  return pipeline;
}

Status SamplePipeline::makeStep(const PlanGroup& group) {
  const CheckedNode& first = m_parts.plan.node(group.nodes.front());
  Step step;
  step.node = group.nodes.front();
  step.nodes = group.nodes;
  step.context = {m_parts.plan.pipeline.seed, first.drawKey(), m_parts.noRandom, nullptr,
                  &m_parts.stop};
  step.cache = m_parts.caches.find(first.id);
  if (step.cache != nullptr)
    m_hasCache = true;
  else
    MILLRACE_TRY(buildOp(step));
  if (step.op != nullptr) countFor(step);
  m_steps.push_back(std::move(step));
  return {};
}

void SamplePipeline::countFor(Step& step) {
  if constexpr (!MILLRACE_COUNTERS) return;
  std::vector<std::string> names = step.op->counterNames();
  if (names.empty()) return;
  // A thread that starts samples early has two pipelines, which count together.
  if (!m_counters.namedCounters[step.node])
    m_counters.namedCounters[step.node] = std::make_unique<NamedCounters>(std::move(names));
  step.context.counters = m_counters.namedCounters[step.node].get();
  step.countsBefore.resize(step.context.counters->size());
}

Status SamplePipeline::buildOp(Step& step) {
  step.version = 0;
  for (const std::size_t node : step.nodes)
    step.version = std::max(step.version, m_parts.live.versionOf(node));
  MILLRACE_ASSIGN_OR_RETURN(step.op, makeGroupOp(m_parts, step.nodes));
  return {};
}

/// Each field's place in the batch is offered to the last step that allocates memory for the field,
/// or to the source if no step does. Steps before a rearranging step are never offered one: their
/// output may end up in a different field.
void SamplePipeline::assignOffers() {
  const auto rearranging = std::find_if(m_steps.rbegin(), m_steps.rend(), [](const Step& step) {
    return step.op != nullptr && step.op->rearranges();
  });
  const auto end = rearranging == m_steps.rend() ? rearranging : std::next(rearranging);
  for (std::size_t f = 0; f < m_segment.out.fields.size(); ++f) {
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
  if (const auto first = firstUnchanged()) m_row.emplace(m_segmentIndex, *first);
}

/// The first field whose values go into the batch exactly as the source reads them. nullopt unless
/// all fields of varying size do, because a record of several fields is read as a whole, and unless
/// they hold bytes, because they may lie at any address.
std::optional<std::size_t> SamplePipeline::firstUnchanged() const {
  const std::vector<FieldSpec>& read = m_parts.plan.node(m_parts.plan.source).out.fields;
  std::optional<std::size_t> first;
  for (std::size_t f = 0; f < read.size(); ++f) {
    if (!isRagged(read[f])) continue;
    const bool bytes = read[f].dtype == DType::Encoded || sizeOf(read[f].dtype) == 1;
    const bool kept = std::ranges::find(m_readerOffers, f) != m_readerOffers.end();
    if (!bytes || !kept || !isRagged(m_segment.out.fields[f])) return std::nullopt;
    if (!first) first = f;
  }
  return first;
}

Status SamplePipeline::renewLive() {
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

void SamplePipeline::beginTiming() {
  m_timed = MILLRACE_COUNTERS && (m_counters.trace != nullptr || m_timing.next());
  if (!m_timed) return;
  m_started = m_lastLap = nowNs();
  m_slow = {};
}

/// Ends a node's part of a timed sample. Whether no other node took longer so far.
bool SamplePipeline::lap(std::size_t node) {
  const std::uint64_t now = nowNs();
  const std::uint64_t ns = now - m_lastLap;
  m_counters.node[node].time(ns);
  m_counters.traced(TraceSpan::Kind::Node, node, m_sample.key().index, m_lastLap, now);
  m_lastLap = now;
  if (ns <= m_slow.nodeNs) return false;
  m_slow.node = node;
  m_slow.nodeNs = ns;
  return true;
}

void SamplePipeline::lapStep(const Step& step) {
  if (lap(step.node)) m_slow.route = raisedCounter(step);
}

void SamplePipeline::noteCounts(Step& step) const {
  if (!m_timed || step.context.counters == nullptr) return;
  for (std::size_t i = 0; i < step.countsBefore.size(); ++i)
    step.countsBefore[i] = step.context.counters->count(i);
}

/// The first counter that the step raised since noteCounts.
std::string_view SamplePipeline::raisedCounter(const Step& step) {
  for (std::size_t i = 0; i < step.countsBefore.size(); ++i)
    if (step.context.counters->count(i) != step.countsBefore[i])
      return step.context.counters->name(i);
  return {};
}

void SamplePipeline::keepIfSlow(std::uint64_t ns) {
  if (m_reader == nullptr || !m_counters.slowest.isSlow(ns)) return;
  m_slow.index = m_sample.key().index;
  m_slow.ns = ns;
  m_counters.slowest.keep(m_slow);
}

std::uint64_t SamplePipeline::sampleBytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t f = 0; f < m_sample.fields(); ++f) bytes += m_sample[f].bytes;
  return bytes;
}

void SamplePipeline::offer(const std::vector<std::size_t>& fields, BatchSlot* slot,
                           std::size_t row) {
  if (slot == nullptr) return;
  for (const std::size_t f : fields)
    if (std::byte* place = slot->rowPlace(m_segmentIndex, f, row))
      m_sample.offer(f, place, slot->rowBytes(m_segmentIndex, f));
}

Result<bool> SamplePipeline::failed(std::size_t node, const std::string& reason) {
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

void SamplePipeline::countStep(const Step& step, std::uint64_t bytesIn) {
  if constexpr (!MILLRACE_COUNTERS) return;
  NodeCounters& counters = m_counters.node[step.node];
  counters.items.add(1);
  counters.bytesIn.add(bytesIn);
  counters.bytesOut.add(sampleBytes());
  if (m_timed) lapStep(step);
}

std::size_t SamplePipeline::loadFromCache() {
  if (!m_hasCache) return 0;
  for (std::size_t i = m_steps.size(); i-- > 0;)
    if (m_steps[i].cache != nullptr && m_steps[i].cache->load(m_sample)) {
      countStep(m_steps[i], 0);
      return i + 1;
    }
  return 0;
}

/// Takes a sample that was read ahead, or reads it on this thread. Waiting counts as the source's
/// time.
Status SamplePipeline::readSample(const SampleKey& key, BatchSlot* slot, std::size_t row,
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

Result<bool> SamplePipeline::countRead(const Status& read) {
  const std::size_t source = m_parts.plan.source;
  if (!read) return failed(source, read.error().message);
  if constexpr (MILLRACE_COUNTERS) {
    NodeCounters& counters = m_counters.node[source];
    counters.items.add(1);
    counters.bytesOut.add(sampleBytes());
    if (m_timed) {
      (void)lap(source);
      m_slow.bytes = sampleBytes();
    }
  }
  return true;
}

Result<bool> SamplePipeline::runSteps(std::size_t from, BatchSlot* slot, std::size_t row) {
  for (std::size_t i = from; i < m_steps.size(); ++i) {
    Step& step = m_steps[i];
    const std::uint64_t bytesIn = MILLRACE_COUNTERS ? sampleBytes() : 0;
    noteCounts(step);
    if (step.cache != nullptr) {
      step.cache->store(m_sample);
    } else {
      offer(step.offers, slot, row);
      if (Status done = step.op->process(m_sample, step.context); !done) {
        if (!step.context.wanted()) return false;
        return failed(step.node, done.error().message);
      }
    }
    countStep(step, bytesIn);
  }
  return true;
}

Result<bool> SamplePipeline::fromSource(const SampleKey& key, BatchSlot* slot, std::size_t row,
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

/// Stops the clock: a sample may have to wait for its row, and waiting is not work.
Result<bool> SamplePipeline::worked(Result<bool> result) {
  if (m_timed) m_workedNs = nowNs() - m_started;
  return result;
}

Result<bool> SamplePipeline::fromRow(const Batch& before, std::size_t beforeRow, BatchSlot& slot,
                                     std::size_t row) {
  if (m_parts.live.version() != m_liveVersion) MILLRACE_TRY(renewLive());
  beginTiming();
  m_sample.reset(before.keys[beforeRow], m_mostFields);
  for (std::size_t f = 0; f < before.fields.size(); ++f)
    m_sample.borrow(f, before.fields[f].rows[beforeRow]);
  return worked(runSteps(loadFromCache(), &slot, row));
}

Result<bool> SamplePipeline::put(BatchSlot& slot, std::size_t row) {
  const std::uint64_t begin = m_timed ? nowNs() : 0;
  const Status placed = slot.putRow(m_segmentIndex, row, m_sample);
  m_loan.reset();
  if (!placed) return failed(m_parts.plan.batchNode, placed.error().message);
  if constexpr (MILLRACE_COUNTERS) {
    m_counters.samples.add(1);
    if (m_timed) {
      const std::uint64_t end = nowNs();
      const std::uint64_t ns = m_workedNs + end - begin;
      m_counters.traced(TraceSpan::Kind::Row, slot.preparedFor.load(std::memory_order_relaxed),
                        m_sample.key().index, begin, end);
      m_counters.timedSamples.add(1);
      m_counters.timedSampleNs.add(ns);
      keepIfSlow(ns);
      m_timing.took(ns);
    }
  }
  return true;
}

}  // namespace millrace
