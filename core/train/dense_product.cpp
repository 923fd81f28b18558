// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/dense_product.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/check.h"

namespace millrace {

namespace {

Status blasResult(cublas::Code code, const char* call) {
  if (code == cublas::kSuccess) return {};
  return Error{fmt::format("{}: cuBLAS error {}", call, code)};
}

}  // namespace

Result<std::unique_ptr<DenseProduct>> DenseProduct::make(
    Stream& stream, std::shared_ptr<const CublasLibrary> library) {
  std::unique_ptr<DenseProduct> made(new DenseProduct(stream, std::move(library)));
  if (!made->m_library) return made;
  const cublas::Functions& calls = made->m_library->functions();
  MILLRACE_TRY(stream.enter());
  MILLRACE_TRY(blasResult(calls.create(&made->m_handle), "cublasCreate"));
  MILLRACE_TRY(blasResult(calls.setStream(made->m_handle, stream.native()), "cublasSetStream"));
  return made;
}

DenseProduct::~DenseProduct() {
  if (m_handle != nullptr) m_library->functions().destroy(m_handle);
}

Status DenseProduct::multiply(const ProductView& view) {
  if (!m_library) return launchProduct(m_stream, view);
  // cuBLAS is column-major, so it sees every matrix here transposed; swap the operands.
  const auto work = [this, view] {
    constexpr float kOne = 1;
    constexpr float kZero = 0;
    const auto columns = static_cast<int>(view.columns);
    const auto rows = static_cast<int>(view.rows);
    const auto inner = static_cast<int>(view.inner);
    return m_library->functions().multiply(
        m_handle, view.bTurned ? cublas::kTransposed : cublas::kNotTransposed,
        view.aTurned ? cublas::kTransposed : cublas::kNotTransposed, columns, rows, inner, &kOne,
        view.b, view.bTurned ? inner : columns, view.a, view.aTurned ? rows : inner, &kZero,
        view.out, columns);
  };
  if (!m_stream.emulated()) return blasResult(work(), "cublasSgemm");
  return m_stream.enqueue("cublasSgemm", [work] {
    MILLRACE_CHECK(work() == cublas::kSuccess, "the test double failed");
  });
}

}  // namespace millrace
