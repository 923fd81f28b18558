// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/host_copy.h"

namespace millrace {

Status HostCopy::copyRows(const BatchField& from, std::size_t rows, BatchField& to) {
  to.spec = from.spec;
  to.ragged = from.ragged;
  to.rowBytes = from.rowBytes;
  to.rows.assign(from.rows.begin(), from.rows.begin() + static_cast<std::ptrdiff_t>(rows));
  std::size_t bytes = 0;
  for (const TensorView& row : to.rows) bytes += row.bytes;
  std::byte* at = to.memory.reserve(bytes);
  for (TensorView& row : to.rows) {
    MILLRACE_TRY(m_stream->copyToHost(at, row.data, row.bytes));
    row.data = at;
    at += row.bytes;
  }
  return {};
}

Result<const Batch*> HostCopy::of(const Batch& batch) {
  if (batch.place != Place::Device) return &batch;
  if (!m_stream) {
    MILLRACE_ASSIGN_OR_RETURN(m_stream, m_device->makeStream("dump"));
  }
  if (batch.ready != nullptr) MILLRACE_TRY(m_stream->wait(*batch.ready));
  m_copy.sequence = batch.sequence;
  m_copy.epoch = batch.epoch;
  m_copy.indexInEpoch = batch.indexInEpoch;
  m_copy.rows = batch.rows;
  m_copy.keys = batch.keys;
  m_copy.fields.resize(batch.fields.size());
  for (std::size_t f = 0; f < batch.fields.size(); ++f)
    MILLRACE_TRY(copyRows(batch.fields[f], batch.rows, m_copy.fields[f]));
  MILLRACE_TRY(m_stream->synchronise());
  return &m_copy;
}

}  // namespace millrace
