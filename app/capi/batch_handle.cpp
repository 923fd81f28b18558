// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/batch_handle.h"

#include <unistd.h>

#include <algorithm>

namespace millrace::capi {

namespace {

/// Sets the device. The emulated device's memory is host memory.
void placeOf(const LoanedBatch& loan, millrace_batch& batch) {
  batch.device_type = MILLRACE_DEVICE_CPU;
  batch.device_id = 0;
  const std::shared_ptr<Device>& device = loan.device();
  if (!device || device->backend() != DeviceBackend::Cuda) return;
  batch.device_type = MILLRACE_DEVICE_CUDA_HOST;
  if (loan->place != Place::Device) return;
  batch.device_type = MILLRACE_DEVICE_CUDA;
  batch.device_id = device->facts().ordinal;
}

/// The address of the first row of a dense field; the other rows follow it.
void* dataOf(const BatchField& field, const Batch& batch) {
  if (batch.place == Place::Device) return batch.rows > 0 ? field.rows.front().data : nullptr;
  // The reader owns the slot while it is lent.
  return const_cast<std::byte*>(field.memory.data());
}

}  // namespace

Status SharedLoan::readOn(void* stream) {
  const std::shared_ptr<Device>& device = m_loan.device();
  if (!device) return {};
  const MutexLock lock(m_mutex);
  if (std::ranges::count(m_streams, stream) > 0) return {};
  MILLRACE_ASSIGN_OR_RETURN(auto taken, programStreams(stream, device));
  m_streams.push_back(stream);
  for (ProgramStream& reader : taken) m_loan.readOn(std::move(reader));
  return {};
}

Status SharedLoan::toHost(void* to, const void* from, std::size_t bytes) const {
  std::vector<ProgramStream> readers;
  {
    const MutexLock lock(m_mutex);
    readers = m_loan.readers();
  }
  return m_loan.toHost(to, from, bytes, readers);
}

std::unique_ptr<BatchHandle> BatchHandle::make(LoanedBatch loan, std::uint64_t failed) {
  auto handle = std::make_unique<BatchHandle>();
  handle->process = getpid();
  handle->loan = std::make_shared<SharedLoan>(std::move(loan));
  const Batch& batch = handle->loan->batch();
  placeOf(handle->loan->loan(), *handle);
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
  const Batch& batch = loan->batch();
  const std::size_t count = batch.rows;
  const auto rowCount = static_cast<std::int64_t>(count);
  millrace_field shown{};
  shown.name = field.spec.name.c_str();
  shown.dtype = nameOf(field.spec.dtype).data();  // a literal, so it ends with a zero byte
  std::vector<millrace_row> ragged;
  if (field.ragged) {
    for (std::size_t r = 0; r < count; ++r) {
      const TensorView& row = field.rows[r];
      ragged.push_back(
          {row.data, row.bytes, static_cast<std::int32_t>(row.shape.rank()), row.shape.begin()});
    }
    m_shapes.push_back(Shape{rowCount});
  } else {
    shown.data = dataOf(field, batch);
    shown.bytes = field.rowBytes * count;
    m_shapes.push_back(field.shapeOf(count));
  }
  m_rows.push_back(std::move(ragged));
  shown.rows = field.ragged ? m_rows.back().data() : nullptr;
  shown.ndim = static_cast<std::int32_t>(m_shapes.back().rank());
  shown.shape = m_shapes.back().begin();
  m_fields.push_back(shown);
}

}  // namespace millrace::capi
