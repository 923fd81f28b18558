// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/batch_slot.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/base/check.h"

namespace millrace {

namespace {

BatchField makeField(const FieldSpec& spec, std::size_t rows,
                     const std::shared_ptr<BufferSource>& pinned) {
  BatchField field;
  field.memory = Buffer(pinned);
  field.spec = spec;
  const std::int64_t elements = spec.shape.elements();
  field.ragged = isRagged(spec);
  field.rows.resize(rows);
  if (field.ragged || spec.padded) return field;
  field.rowBytes = static_cast<std::size_t>(elements) * sizeOf(spec.dtype);
  std::memset(field.memory.reserve(field.rowBytes * rows), 0, field.rowBytes * rows);
  return field;
}

}  // namespace

BatchSlot::BatchSlot(const PlanStage& stage, std::size_t batchSize,
                     const std::shared_ptr<BufferSource>& pinned)
    : m_good(batchSize, 1) {
  m_segments.resize(std::max<std::size_t>(1, stage.segments.size()));
  for (std::size_t p = 0; p < stage.segments.size(); ++p)
    if (!stage.segments[p].sampleGroups.empty() || stage.segments[p].formsBatch ||
        stage.segments[p].maps)
      m_resultSegment = p;
  m_arenas.resize(m_segments.size());
  for (std::size_t p = 0; p < stage.segments.size(); ++p) {
    m_segments[p].keys.resize(batchSize);
    for (const FieldSpec& spec : stage.segments[p].out.fields) {
      m_segments[p].fields.push_back(
          makeField(spec, batchSize, p == m_resultSegment ? pinned : nullptr));
      m_arenas[p].push_back(std::make_unique<Arena>());
      m_arenas[p].back()->overflow.resize(m_segments[p].fields.back().ragged ? batchSize : 0);
    }
  }
}

bool BatchSlot::isPinned() const {
  return std::ranges::all_of(m_segments[m_resultSegment].fields, [](const BatchField& field) {
    return field.ragged || field.spec.padded || field.memory.fromSource();
  });
}

void BatchSlot::begin(std::uint64_t sequence, std::uint32_t epoch, std::uint32_t indexInEpoch,
                      std::size_t rows) {
  Batch& batch = m_segments.front();
  batch.sequence = sequence;
  batch.epoch = epoch;
  batch.indexInEpoch = indexInEpoch;
  batch.rows = rows;
  std::fill(m_good.begin(), m_good.end(), std::uint8_t{1});
  for (std::size_t p = 0; p < m_arenas.size(); ++p)
    for (std::size_t f = 0; f < m_arenas[p].size(); ++f) {
      const std::size_t used = m_arenas[p][f]->used.exchange(0, std::memory_order_relaxed);
      Buffer& memory = m_segments[p].fields[f].memory;
      if (m_segments[p].fields[f].ragged && used > memory.capacity())
        memory.reserve(used + used / 4);
    }
  m_missing.store(rows, std::memory_order_release);
}

std::byte* BatchSlot::rowPlace(std::size_t segment, std::size_t f, std::size_t r) {
  BatchField& field = m_segments[segment].fields[f];
  return field.ragged ? nullptr : field.memory.data() + r * field.rowBytes;
}

std::byte* BatchSlot::raggedPlace(std::size_t segment, std::size_t f, std::size_t r,
                                  std::size_t bytes) {
  Arena& arena = *m_arenas[segment][f];
  Buffer& memory = m_segments[segment].fields[f].memory;
  const std::size_t padded = (bytes + 63) / 64 * 64;
  const std::size_t at = arena.used.fetch_add(padded, std::memory_order_relaxed);
  if (at + padded <= memory.capacity()) return memory.data() + at;
  return arena.overflow[r].reserve(bytes);
}

namespace {

/// Copies a picture into the top left corner of a larger one and clears the rest.
void placePadded(const TensorView& from, const TensorView& to) {
  std::memset(to.data, 0, to.bytes);
  const std::size_t size = sizeOf(from.dtype);
  const bool planar = from.layout == Layout::Chw;
  const auto lines = static_cast<std::size_t>(from.height());
  const auto planes = static_cast<std::size_t>(planar ? from.channels() : 1);
  const auto perPixel = static_cast<std::size_t>(planar ? 1 : from.channels()) * size;
  const std::size_t fromLine = static_cast<std::size_t>(from.width()) * perPixel;
  const std::size_t toLine = static_cast<std::size_t>(to.width()) * perPixel;
  const auto toLines = static_cast<std::size_t>(to.height());
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::size_t y = 0; y < lines; ++y)
      std::memcpy(to.data + (plane * toLines + y) * toLine,
                  from.data + (plane * lines + y) * fromLine, fromLine);
}

bool fitsPadded(const TensorView& value, const TensorView& row) {
  return value.dtype == row.dtype && value.layout == row.layout && value.layout != Layout::Plain &&
         value.shape.rank() == 3 && value.channels() == row.channels() &&
         value.height() <= row.height() && value.width() <= row.width();
}

}  // namespace

Status BatchSlot::putRow(std::size_t segment, std::size_t r, const Sample& sample) {
  Batch& batch = m_segments[segment];
  batch.keys[r] = sample.key();
  for (std::size_t f = 0; f < batch.fields.size(); ++f) {
    BatchField& field = batch.fields[f];
    const TensorView& value = sample[f];
    TensorView& row = field.rows[r];
    if (field.ragged) {
      row = value;
      if (sample.isInRow(f)) continue;
      row.data = raggedPlace(segment, f, r, value.bytes);
      if (value.bytes > 0) std::memcpy(row.data, value.data, value.bytes);
      continue;
    }
    row = {field.spec.dtype, field.spec.layout, field.spec.shape,
           field.memory.data() + r * field.rowBytes, field.rowBytes};
    if (value.data == row.data) continue;
    if (value.dtype == row.dtype && value.shape == row.shape)
      std::memcpy(row.data, value.data, row.bytes);
    else if (fitsPadded(value, row))
      placePadded(value, row);
    else
      return Error{fmt::format("{} is {} {}, but a row of the batch is {} {}", field.spec.name,
                               nameOf(value.dtype), value.shape.text(), nameOf(row.dtype),
                               row.shape.text())};
  }
  return {};
}

void BatchSlot::copyFrom(const Batch& batch) {
  beginSegment(0, batch);
  for (std::size_t r = 0; r < batch.rows; ++r) {
    m_copied.reset(batch.keys[r], batch.fields.size());
    for (std::size_t f = 0; f < batch.fields.size(); ++f)
      m_copied.borrow(f, batch.fields[f].rows[r]);
    const Status placed = putRow(0, r, m_copied);
    MILLRACE_CHECK(placed.ok(), "a batch has room for its own rows");
  }
}

void BatchSlot::copyRow(Batch& batch, std::size_t from, std::size_t to) {
  batch.keys[to] = batch.keys[from];
  for (BatchField& field : batch.fields) {
    if (field.ragged) {
      field.rows[to] = field.rows[from];
      continue;
    }
    std::byte* memory = field.memory.data();
    std::memcpy(memory + to * field.rowBytes, memory + from * field.rowBytes, field.rowBytes);
    field.rows[to] = field.rows[from];
    field.rows[to].data = memory + to * field.rowBytes;
  }
}

void BatchSlot::fillGaps(std::size_t segment) {
  Batch& batch = m_segments[segment];
  const auto begin = m_good.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(batch.rows);
  const auto firstGood = std::find(begin, end, std::uint8_t{1});
  if (firstGood == end) {
    batch.rows = 0;
    return;
  }
  auto source = static_cast<std::size_t>(firstGood - begin);
  for (std::size_t r = 0; r < batch.rows; ++r) {
    if (m_good[r])
      source = r;
    else
      fillRow(segment, source, r);
  }
}

/// Copies to separate memory, because batch operations may change rows in place.
void BatchSlot::fillRow(std::size_t segment, std::size_t from, std::size_t to) {
  Batch& batch = m_segments[segment];
  copyRow(batch, from, to);
  for (std::size_t f = 0; f < batch.fields.size(); ++f) {
    if (!batch.fields[f].ragged) continue;
    TensorView& row = batch.fields[f].rows[to];
    std::byte* const place = raggedPlace(segment, f, to, row.bytes);
    if (row.bytes > 0) std::memcpy(place, row.data, row.bytes);
    row.data = place;
  }
}

void BatchSlot::closeGaps(std::size_t segment, OnFailure onFailure) {
  Batch& batch = m_segments[segment];
  const auto failed = static_cast<std::size_t>(
      std::count(m_good.begin(), m_good.begin() + static_cast<std::ptrdiff_t>(batch.rows), 0));
  if (failed == 0) return;
  if (onFailure == OnFailure::Fill) {
    fillGaps(segment);
  } else {
    std::size_t kept = 0;
    for (std::size_t r = 0; r < batch.rows; ++r) {
      if (!m_good[r]) continue;
      if (kept != r) copyRow(batch, r, kept);
      ++kept;
    }
    batch.rows = kept;
  }
  std::fill(m_good.begin(), m_good.end(), std::uint8_t{1});
}

void BatchSlot::beginSegment(std::size_t segment, const Batch& before) {
  Batch& batch = m_segments[segment];
  batch.sequence = before.sequence;
  batch.epoch = before.epoch;
  batch.indexInEpoch = before.indexInEpoch;
  batch.rows = before.rows;
  std::copy_n(before.keys.begin(), before.rows, batch.keys.begin());
}

}  // namespace millrace
