// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/device_stage.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/data/left_to_device.h"
#include "core/graph/plan_groups.h"

namespace millrace {

namespace {

std::optional<std::size_t> fieldNamed(const StreamType& stream, const std::string& name) {
  for (std::size_t f = 0; f < stream.fields.size(); ++f)
    if (stream.fields[f].name == name) return f;
  return std::nullopt;
}

/// Copies the batch's own properties, without its fields.
void copyHead(const Batch& from, Batch& to) {
  to.sequence = from.sequence;
  to.epoch = from.epoch;
  to.indexInEpoch = from.indexInEpoch;
  to.rows = from.rows;
  to.keys.assign(from.keys.begin(), from.keys.begin() + static_cast<std::ptrdiff_t>(from.rows));
  to.place = Place::Device;
  to.ready = nullptr;
}

}  // namespace

Result<std::unique_ptr<DeviceStage>> DeviceStage::make(const RunParts& parts,
                                                       const PlanStage& stage,
                                                       ThreadCounters& counters) {
  std::unique_ptr<DeviceStage> deviceStage(new DeviceStage(parts, stage, counters));
  deviceStage->m_liveVersion = parts.live.version();
  for (const PlanGroup& planned : stage.deviceGroups) MILLRACE_TRY(deviceStage->addGroup(planned));
  deviceStage->placeParams();
  MILLRACE_ASSIGN_OR_RETURN(deviceStage->m_copies, parts.device->makeStream(stage.id + ":copy"));
  MILLRACE_ASSIGN_OR_RETURN(deviceStage->m_work, parts.device->makeStream(stage.id + ":work"));
  MILLRACE_ASSIGN_OR_RETURN(deviceStage->m_decode, DeviceDecode::make(parts, counters));
  MILLRACE_CHECK(!deviceStage->m_decode || !deviceStage->m_groups.empty(),
                 "pictures of varying size must get one size after the transfer");
  if (counters.copyTrace && counters.workTrace) {
    MILLRACE_ASSIGN_OR_RETURN(deviceStage->m_clock, DeviceClock::make(*parts.device));
  }
  return deviceStage;
}

DeviceStage::~DeviceStage() {
  // After this, slots return to their pools, so no work may be in progress in them.
  if (m_copies) (void)m_copies->synchronise();
  if (m_work) (void)m_work->synchronise();
}

Status DeviceStage::addGroup(const PlanGroup& planned) {
  Group group;
  group.nodes = planned.nodes;
  const CheckedNode& first = m_parts.plan.node(planned.nodes.front());
  const CheckedNode& last = m_parts.plan.node(planned.nodes.back());
  group.out = &last.out;
  for (const std::size_t node : planned.nodes)
    group.contexts.push_back(
        {m_parts.plan.pipeline.seed, m_parts.plan.node(node).drawKey(), m_parts.noRandom, nullptr});
  MILLRACE_TRY(buildOp(group));
  const std::vector<std::size_t> replaced = group.op->replaces();
  for (std::size_t f = 0; f < last.out.fields.size(); ++f) {
    Field field;
    field.replaced = std::find(replaced.begin(), replaced.end(), f) != replaced.end();
    const auto before = fieldNamed(first.in, last.out.fields[f].name);
    if (!field.replaced && !before)
      return Error{fmt::format("{}: no operation on the GPU makes the field `{}`", first.id,
                               last.out.fields[f].name)};
    field.from = before.value_or(0);
    group.fields.push_back(field);
  }
  m_groups.push_back(std::move(group));
  return {};
}

Status DeviceStage::buildOp(Group& group) {
  std::vector<DeviceNode> nodes;
  group.versions.clear();
  for (const std::size_t node : group.nodes) {
    group.versions.push_back(m_parts.live.versionOf(node));
    BuildContext context = buildContext(m_parts.plan.pipeline, node);
    context.device = m_parts.device;
    nodes.push_back({m_parts.plan.node(node).spec, m_parts.live.valuesOf(node), context});
  }
  MILLRACE_ASSIGN_OR_RETURN(group.op, makeDeviceGroup(nodes));
  return {};
}

void DeviceStage::placeParams() {
  const auto rows = static_cast<std::size_t>(m_parts.plan.batch.size);
  m_paramBytes = 0;
  for (Group& group : m_groups) {
    group.paramsAt = m_paramBytes;
    m_paramBytes += deviceAligned(group.op->paramBytes(rows));
  }
}

Status DeviceStage::renewLive() {
  if (m_parts.live.version() == m_liveVersion) return {};
  m_liveVersion = m_parts.live.version();
  for (Group& group : m_groups)
    for (std::size_t i = 0; i < group.nodes.size(); ++i)
      if (m_parts.live.versionOf(group.nodes[i]) != group.versions[i]) {
        MILLRACE_TRY(buildOp(group));
        break;
      }
  placeParams();
  return {};
}

Status DeviceStage::reserve(DeviceSlot& slot) {
  const auto rows = static_cast<std::size_t>(m_parts.plan.batch.size);
  const auto bytesOf = [rows](const FieldSpec& field) {
    if (isRagged(field) || field.padded) return std::size_t{0};
    const auto elements = static_cast<std::size_t>(field.shape.elements());
    return deviceAligned(rows * elements * sizeOf(field.dtype));
  };
  std::size_t bytes = 0;
  std::size_t tailBytes = deviceAligned(m_paramBytes);
  for (const FieldSpec& field : m_parts.plan.node(*m_stage.transfer).in.fields)
    (bytesOf(field) <= TransferLayout::kGathered ? tailBytes : bytes) += bytesOf(field);
  if (auto taken = takeMemory(bytes + tailBytes, tailBytes, slot); !taken) return taken.error();
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    std::size_t made = 0;
    for (std::size_t f = 0; f < m_groups[g].fields.size(); ++f)
      if (m_groups[g].fields[f].replaced) made += bytesOf(m_groups[g].out->fields[f]);
    auto memory = slot.groups[g].memory.reserve(*m_parts.device, made);
    if (!memory) return tooLittle(memory.error());
  }
  return {};
}

Status DeviceStage::enqueue(const Batch& from, DeviceSlot& slot, bool waited) {
  const std::uint64_t begin = m_clock ? nowNs() : 0;
  MILLRACE_TRY(renewLive());
  if (m_decode) MILLRACE_TRY(m_decode->balance(waited));
  MILLRACE_TRY(settle(slot));
  MILLRACE_TRY(layOut(from, slot));
  m_fills.clear();
  for (DeviceSlot::Group& group : slot.groups) group.taken = false;
  if (m_decode) MILLRACE_TRY(decode(from, slot));
  Batch* current = slot.groups.empty() ? &slot.in : &slot.inOf(0);
  for (std::size_t g = 0; g < m_groups.size() && current->rows > 0; ++g) {
    MILLRACE_TRY(prepare(g, slot));
    current = slot.inOf(g).rows > 0 ? &slot.groups[g].out : &slot.inOf(g);
  }
  if (current->rows > 0) {
    MILLRACE_TRY(copy(slot));
    MILLRACE_TRY(launch(slot));
    current->ready = &slot.last();
    slot.inFlight = true;
  } else if (slot.decode.any) {
    // All rows failed: no later work is enqueued that could be waited for.
    MILLRACE_TRY(slot.decode.done->wait());
    slot.decode.any = false;
  }
  slot.setResult(*current);
  if (m_clock) m_counters.traced(TraceSpan::Kind::Batch, 0, from.sequence, begin, nowNs());
  return {};
}

Status DeviceStage::layOut(const Batch& from, DeviceSlot& slot) {
  copyHead(from, slot.in);
  m_layout.clear();
  for (const BatchField& field : from.fields) m_layout.add(field, from.rows);
  const std::size_t tailBytes = paramsAt() + m_paramBytes;
  MILLRACE_ASSIGN_OR_RETURN(auto memory, takeMemory(m_layout.tail() + tailBytes, tailBytes, slot));
  slot.params = memory + m_layout.tail() + paramsAt();
  if (tailBytes > 0) m_layout.gather(slot.hostTail.data());
  slot.in.fields.resize(from.fields.size());
  for (std::size_t f = 0; f < from.fields.size(); ++f) {
    BatchField& field = slot.in.fields[f];
    field.spec = from.fields[f].spec;
    field.ragged = from.fields[f].ragged;
    field.rowBytes = from.fields[f].rowBytes;
    field.rows.assign(from.fields[f].rows.begin(),
                      from.fields[f].rows.begin() + static_cast<std::ptrdiff_t>(from.rows));
    for (std::size_t r = 0; r < from.rows; ++r) {
      if (isLeftToDevice(field.spec, field.rows[r])) field.rows[r] = pixelsOfFile(field.rows[r]);
      field.rows[r].data = memory + m_layout.offset(f, r);
    }
  }
  slot.copiedBytes = m_layout.copied();
  return {};
}

/// Decodes files left by the workers; rows that cannot be decoded are removed from the first
/// group's input.
Status DeviceStage::decode(const Batch& from, DeviceSlot& slot) {
  m_failed.clear();
  DeviceWork work{slot.in, slot.groups.front().out, m_groups.front().contexts};
  work.failed = &m_failed;
  MILLRACE_TRY(m_decode->enqueue(from, slot, *m_groups.front().op, work));
  return m_failed.empty() ? Status{} : dropFailed(0, m_decode->node(), slot);
}

/// Offset of the parameters in the tail.
std::size_t DeviceStage::paramsAt() const { return deviceAligned(m_layout.tailBytes()); }

/// Allocates the slot's block, and the host memory for its tail.
Result<std::byte*> DeviceStage::takeMemory(std::size_t bytes, std::size_t tailBytes,
                                           DeviceSlot& slot) {
  if (slot.hostTail.bytes() < tailBytes) {
    auto tail = m_parts.device->pinnedMemory(tailBytes);
    if (!tail) return tooLittle(tail.error());
    slot.hostTail = tail.take();
  }
  auto memory = slot.memory.reserve(*m_parts.device, bytes);
  if (!memory) return tooLittle(memory.error());
  return memory;
}

Error DeviceStage::tooLittle(const Error& error) const {
  return Error{
      fmt::format("{}; reduce the slots, here or in a later prefetch node, or "
                  "{}.size",
                  error.message, m_parts.plan.node(m_parts.plan.batchNode).id)};
}

Status DeviceStage::copy(DeviceSlot& slot) {
  auto memory = slot.memory.reserve(*m_parts.device, 0);
  MILLRACE_TRY(m_copies->record(*slot.copyBegan));
  for (const TransferLayout::Piece& piece : m_layout.pieces())
    MILLRACE_TRY(m_copies->copyToDevice(*memory + piece.at, piece.host, piece.bytes));
  MILLRACE_TRY(m_copies->copyToDevice(*memory + m_layout.tail(), slot.hostTail.data(),
                                      paramsAt() + m_paramBytes));
  MILLRACE_TRY(m_copies->record(*slot.copied));
  return slot.decode.any ? m_decode->join(slot) : Status{};
}

Status DeviceStage::launch(DeviceSlot& slot) {
  if (m_groups.empty()) return {};
  std::size_t scratch = 0;
  for (std::size_t g = 0; g < m_groups.size(); ++g)
    scratch = std::max(scratch, m_groups[g].op->scratchBytes(slot.inOf(g)));
  auto memory = slot.scratch.reserve(*m_parts.device, scratch);
  if (!memory) return tooLittle(memory.error());
  MILLRACE_TRY(m_work->wait(slot.read()));
  MILLRACE_TRY(m_work->record(*slot.workBegan));
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    for (const FillCopy& fill : m_fills)
      if (fill.group == g) MILLRACE_TRY(m_work->copyOnDevice(fill.to, fill.from, fill.bytes));
    DeviceWork work = workOf(g, slot);
    work.scratch = *memory;
    if (Status done = m_groups[g].op->launch(*m_work, work); !done)
      return Error{m_parts.plan.node(m_groups[g].nodes.front()).id + ": " + done.error().message};
    MILLRACE_TRY(m_work->record(*slot.groups[g].done));
  }
  return {};
}

Status DeviceStage::settle(DeviceSlot& slot) {
  if (!slot.inFlight) return {};
  slot.inFlight = false;
  // Usually the reader has already waited for it.
  MILLRACE_TRY(slot.last().wait());
  slot.fills.clear();
  if constexpr (!MILLRACE_COUNTERS) return {};
  MILLRACE_TRY(count(*m_stage.transfer, *slot.copyBegan, *slot.copied, slot.copiedBytes));
  if (m_clock)
    MILLRACE_TRY(
        trace(*m_counters.copyTrace, *m_stage.transfer, slot.in, *slot.copyBegan, *slot.copied));
  const Event* begin = slot.workBegan.get();
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    const std::size_t node = m_groups[g].nodes.front();
    const Event& end = *slot.groups[g].done;
    MILLRACE_TRY(count(node, *begin, end, 0));
    if (m_clock) MILLRACE_TRY(trace(*m_counters.workTrace, node, slot.in, *begin, end));
    begin = &end;
  }
  return {};
}

Status DeviceStage::trace(ThreadTrace& trace, std::size_t node, const Batch& batch,
                          const Event& begin, const Event& end) {
  MILLRACE_ASSIGN_OR_RETURN(const auto from, m_clock->steadyNs(begin));
  MILLRACE_ASSIGN_OR_RETURN(const auto to, m_clock->steadyNs(end));
  const bool copies = node == *m_stage.transfer;
  trace.add({copies ? TraceSpan::Kind::Copy : TraceSpan::Kind::Device,
             static_cast<std::uint32_t>(node), batch.sequence, from, to});
  return {};
}

Status DeviceStage::count(std::size_t node, const Event& begin, const Event& end,
                          std::size_t bytes) {
  MILLRACE_ASSIGN_OR_RETURN(auto time, end.since(begin));
  NodeCounters& counters = m_counters.node[node];
  counters.items.add(1);
  counters.bytesIn.add(bytes);
  counters.bytesOut.add(bytes);
  counters.time(static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count())));
  return {};
}

}  // namespace millrace
