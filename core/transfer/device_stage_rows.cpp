// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The host part of operations on a device: input and output rows, and failed rows.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/transfer/device_stage.h"

namespace millrace {

namespace {

/// Copies everything except the memory.
void copyTables(const Batch& from, Batch& to) {
  to.sequence = from.sequence;
  to.epoch = from.epoch;
  to.indexInEpoch = from.indexInEpoch;
  to.rows = from.rows;
  to.keys = from.keys;
  to.place = from.place;
  to.ready = nullptr;
  to.fields.resize(from.fields.size());
  for (std::size_t f = 0; f < from.fields.size(); ++f) {
    to.fields[f].spec = from.fields[f].spec;
    to.fields[f].ragged = from.fields[f].ragged;
    to.fields[f].rowBytes = from.fields[f].rowBytes;
    to.fields[f].rows = from.fields[f].rows;
  }
}

}  // namespace

DeviceWork DeviceStage::workOf(std::size_t g, DeviceSlot& slot) {
  const Group& group = m_groups[g];
  DeviceWork work{slot.inOf(g), slot.groups[g].out, group.contexts};
  work.failed = &m_failed;
  if (m_paramBytes > 0) {
    work.hostParams = slot.hostTail.data() + paramsAt() + group.paramsAt;
    work.deviceParams = slot.params + group.paramsAt;
  }
  return work;
}

Status DeviceStage::prepare(std::size_t g, DeviceSlot& slot) {
  Group& group = m_groups[g];
  const std::string& id = m_parts.plan.node(group.nodes.front()).id;
  while (slot.inOf(g).rows > 0) {
    m_failed.clear();
    Batch& out = slot.groups[g].out;
    beginOut(group, slot.inOf(g), out);
    const DeviceWork work = workOf(g, slot);
    Status done = group.op->shape(work);
    if (done.ok() && m_failed.empty()) {
      if (Status placed = placeOut(group, slot.groups[g].memory, out); !placed) return placed;
      done = group.op->prepare(work);
    }
    if (!done) return Error{id + ": " + done.error().message};
    if (m_failed.empty()) break;
    MILLRACE_TRY(dropFailed(g, group.nodes.front(), slot));
  }
  return {};
}

void DeviceStage::beginOut(const Group& group, const Batch& in, Batch& out) const {
  out.sequence = in.sequence;
  out.epoch = in.epoch;
  out.indexInEpoch = in.indexInEpoch;
  out.rows = in.rows;
  out.keys = in.keys;
  out.place = Place::Device;
  out.ready = nullptr;
  out.fields.resize(group.fields.size());
  for (std::size_t f = 0; f < group.fields.size(); ++f) {
    BatchField& field = out.fields[f];
    field.spec = group.out->fields[f];
    if (!group.fields[f].replaced) {
      const BatchField& before = in.fields[group.fields[f].from];
      field.ragged = before.ragged;
      field.rowBytes = before.rowBytes;
      field.rows = before.rows;
      continue;
    }
    const std::int64_t elements = field.spec.shape.elements();
    field.ragged = isRagged(field.spec);
    field.rowBytes =
        field.ragged ? 0 : static_cast<std::size_t>(elements) * sizeOf(field.spec.dtype);
    const TensorView fixed{field.spec.dtype, field.spec.layout, field.spec.shape, nullptr,
                           field.rowBytes};
    field.rows.assign(in.rows, field.ragged ? TensorView{} : fixed);
  }
}

Status DeviceStage::placeOut(const Group& group, DeviceArena& memory, Batch& out) {
  const auto each = [&](const auto& place) {
    std::size_t at = 0;
    for (std::size_t f = 0; f < group.fields.size(); ++f) {
      if (!group.fields[f].replaced) continue;
      at = deviceAligned(at);
      for (TensorView& row : out.fields[f].rows) {
        if (out.fields[f].ragged) at = deviceAligned(at);
        place(row, at);
        at += row.bytes;
      }
    }
    return at;
  };
  auto block = memory.reserve(*m_parts.device, each([](TensorView&, std::size_t) {}));
  if (!block) return tooLittle(block.error());
  each([&](TensorView& row, std::size_t at) { row.data = *block + at; });
  return {};
}

/// Removes failed rows from the group's input, or replaces them by neighbours
/// (docs/reference/failures.md). Uses separate tables, because the previous group still works on
/// all rows.
Status DeviceStage::dropFailed(std::size_t g, std::size_t node, DeviceSlot& slot) {
  if (!slot.groups[g].taken) {
    copyTables(slot.inOf(g), slot.groups[g].in);
    slot.groups[g].taken = true;
  }
  Batch& in = slot.groups[g].in;
  m_bad.assign(in.rows, 0);
  for (const FailedRow& failed : m_failed) {
    if (m_bad[failed.row] != 0) continue;
    m_bad[failed.row] = 1;
    MILLRACE_TRY(recordFailure(node, in.keys[failed.row], failed.reason));
  }
  const auto firstGood = std::find(m_bad.begin(), m_bad.end(), std::uint8_t{0});
  if (m_parts.plan.batch.onFailure == OnFailure::Fill && firstGood != m_bad.end()) {
    auto source = static_cast<std::size_t>(firstGood - m_bad.begin());
    for (std::size_t r = 0; r < in.rows; ++r) {
      if (m_bad[r] == 0)
        source = r;
      else
        MILLRACE_TRY(fillRow(g, slot, in, r, source));
    }
    return {};
  }
  std::size_t kept = 0;
  for (std::size_t r = 0; r < in.rows; ++r) {
    if (m_bad[r] != 0) continue;
    if (kept != r) moveRow(g, in, r, kept);
    ++kept;
  }
  in.rows = kept;
  in.keys.resize(kept);
  for (BatchField& field : in.fields) field.rows.resize(kept);
  return {};
}

Status DeviceStage::recordFailure(std::size_t node, const SampleKey& key,
                                  const std::string& reason) {
  if constexpr (MILLRACE_COUNTERS) m_counters.node[node].failed.add(1);
  return m_parts.failures.record(key.index, m_parts.plan.node(node).id,
                                 m_parts.plan.pipeline.source->name(key.index), reason);
}

/// Rows of fixed size stay adjacent.
void DeviceStage::moveRow(std::size_t g, Batch& in, std::size_t from, std::size_t to) {
  in.keys[to] = in.keys[from];
  for (BatchField& field : in.fields) {
    const TensorView& row = field.rows[from];
    if (field.ragged)
      field.rows[to] = row;
    else
      m_fills.push_back({g, field.rows[to].data, row.data, row.bytes});
  }
}

/// Makes a copy, because operations may change rows in place.
Status DeviceStage::fillRow(std::size_t g, DeviceSlot& slot, Batch& in, std::size_t row,
                            std::size_t source) {
  in.keys[row] = in.keys[source];
  for (BatchField& field : in.fields) {
    const TensorView from = field.rows[source];
    if (!field.ragged) {
      m_fills.push_back({g, field.rows[row].data, from.data, from.bytes});
      continue;
    }
    auto memory = m_parts.device->deviceMemory(from.bytes);
    if (!memory) return tooLittle(memory.error());
    field.rows[row] = from;
    field.rows[row].data = memory->data();
    m_fills.push_back({g, memory->data(), from.data, from.bytes});
    slot.fills.push_back(memory.take());
  }
  return {};
}

}  // namespace millrace
