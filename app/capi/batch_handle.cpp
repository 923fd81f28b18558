// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/batch_handle.h"

#include <unistd.h>

namespace millrace::capi {

std::unique_ptr<BatchHandle> BatchHandle::make(LoanedBatch loan, std::uint64_t failed) {
  auto handle = std::make_unique<BatchHandle>();
  handle->process = getpid();
  handle->m_loan = std::move(loan);
  const Batch& batch = *handle->m_loan;
  handle->failed = failed;
  handle->epoch = batch.epoch;
  handle->index = batch.indexInEpoch;
  handle->millrace_batch::rows = batch.rows;
  handle->m_fields.reserve(batch.fields.size());
  handle->m_shapes.reserve(batch.fields.size());
  handle->m_rows.reserve(batch.fields.size());
  for (const BatchField& field : batch.fields) handle->addField(field);
  for (std::size_t r = 0; r < batch.rows; ++r) handle->m_samples.push_back(batch.keys[r].index);
  handle->field_count = handle->m_fields.size();
  handle->fields = handle->m_fields.data();
  handle->samples = handle->m_samples.data();
  return handle;
}

void BatchHandle::addField(const BatchField& field) {
  const std::size_t count = m_loan->rows;
  const auto rows = static_cast<std::int64_t>(count);
  millrace_field shown{};
  shown.name = field.spec.name.c_str();
  shown.dtype = nameOf(field.spec.dtype).data();  // of literals, which end in a zero byte
  std::vector<millrace_row> ragged;
  if (field.ragged) {
    for (std::size_t r = 0; r < count; ++r) {
      const TensorView& row = field.rows[r];
      ragged.push_back(
          {row.data, row.bytes, static_cast<std::int32_t>(row.shape.rank()), row.shape.begin()});
    }
    m_shapes.push_back(Shape{rows});
  } else {
    // The slot is the reader's for as long as it is out.
    shown.data = const_cast<std::byte*>(field.memory.data());
    shown.bytes = field.rowBytes * count;
    m_shapes.push_back(field.spec.shape.batched(rows));
  }
  m_rows.push_back(std::move(ragged));
  shown.rows = field.ragged ? m_rows.back().data() : nullptr;
  shown.ndim = static_cast<std::int32_t>(m_shapes.back().rank());
  shown.shape = m_shapes.back().begin();
  m_fields.push_back(shown);
}

}  // namespace millrace::capi
