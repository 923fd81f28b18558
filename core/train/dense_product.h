// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/cuda/libraries/cublas_library.h"
#include "core/train/layer_kernels.h"

namespace millrace {

/// Matrix products on a stream: with cuBLAS if a library is given, else with a built-in kernel. For
/// use by one thread; must be destroyed before the stream.
class DenseProduct {
 public:
  static Result<std::unique_ptr<DenseProduct>> make(Stream& stream,
                                                    std::shared_ptr<const CublasLibrary> library);
  ~DenseProduct();
  DenseProduct(const DenseProduct&) = delete;
  DenseProduct& operator=(const DenseProduct&) = delete;

  Status multiply(const ProductView& view);

 private:
  DenseProduct(Stream& stream, std::shared_ptr<const CublasLibrary> library)
      : m_stream(stream), m_library(std::move(library)) {}

  Stream& m_stream;
  const std::shared_ptr<const CublasLibrary> m_library;
  cublas::Handle m_handle = nullptr;
};

}  // namespace millrace
