// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/batch_tensor.h"

#include <dlpack/dlpack.h>
#include <unistd.h>

#include <fmt/format.h>

namespace millrace::capi {

namespace {

static_assert(int{MILLRACE_DEVICE_CPU} == int{kDLCPU});
static_assert(int{MILLRACE_DEVICE_CUDA} == int{kDLCUDA});
static_assert(int{MILLRACE_DEVICE_CUDA_HOST} == int{kDLCUDAHost});

/// A tensor with its shape and loan. The owner calls `deleter` once, on any thread.
struct BatchTensor {
  DLManagedTensor tensor{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::shared_ptr<SharedLoan> loan;
  pid_t process = 0;
};

/// A forked child does not have the threads that the loan would wake: there the tensor leaks.
void deleteTensor(DLManagedTensor* tensor) {
  auto* const made = static_cast<BatchTensor*>(tensor->manager_ctx);
  if (made->process == getpid()) delete made;
}

DLDataType typeOf(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(sizeOf(dtype) * 8);
  switch (dtype) {
    case DType::I8:
    case DType::I16:
    case DType::I32:
    case DType::I64: return {kDLInt, bits, 1};
    case DType::F16:
    case DType::F32:
    case DType::F64: return {kDLFloat, bits, 1};
    case DType::BF16: return {kDLBfloat, bits, 1};
    case DType::U8:
    case DType::U16:
    case DType::Encoded: break;
  }
  return {kDLUInt, bits, 1};
}

std::vector<std::int64_t> stridesOf(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * shape[i - 1];
  return strides;
}

/// Rows that differ in size may lie on the heap if pinned memory had no room, and nothing records
/// which ones do.
DLDevice deviceOf(const BatchHandle& batch, bool whole) {
  if (!whole && batch.device_type == MILLRACE_DEVICE_CUDA_HOST) return {kDLCPU, 0};
  return {static_cast<DLDeviceType>(batch.device_type), batch.device_id};
}

}  // namespace

Result<DLManagedTensor*> makeTensor(const BatchHandle& batch, std::size_t f, std::int64_t row) {
  if (f >= batch.field_count)
    return Error{fmt::format("there is no field {} of {}", f, batch.field_count)};
  const millrace_field& field = batch.fields[f];
  const bool whole = row < 0;
  if (whole && field.rows != nullptr)
    return Error{fmt::format("rows of `{}` differ in size; take one row at a time", field.name)};
  if (!whole && field.rows == nullptr)
    return Error{fmt::format("rows of `{}` are of one size; take the whole field", field.name)};
  if (!whole && static_cast<std::size_t>(row) >= batch.millrace_batch::rows)
    return Error{fmt::format("there is no row {} of {}", row, batch.millrace_batch::rows)};
  const std::int64_t* const shape = whole ? field.shape : field.rows[row].shape;
  const std::int32_t rank = whole ? field.ndim : field.rows[row].ndim;

  auto made = std::make_unique<BatchTensor>();
  made->shape.assign(shape, shape + rank);
  made->strides = stridesOf(made->shape);
  made->loan = batch.loan;
  made->process = batch.process;
  DLTensor& tensor = made->tensor.dl_tensor;
  tensor.data = whole ? field.data : field.rows[row].data;
  tensor.device = deviceOf(batch, whole);
  tensor.ndim = rank;
  tensor.dtype = typeOf(batch.loan->batch().fields[f].spec.dtype);
  tensor.shape = made->shape.data();
  tensor.strides = made->strides.data();
  made->tensor.manager_ctx = made.get();
  made->tensor.deleter = deleteTensor;
  return &made.release()->tensor;
}

}  // namespace millrace::capi
