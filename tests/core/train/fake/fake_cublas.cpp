// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A fake cuBLAS without a GPU: a product of column-major matrices in host memory.
#include <cstddef>

#include "core/cuda/libraries/cublas_library.h"

namespace millrace::cublas {

struct OpaqueBlas {};

}  // namespace millrace::cublas

namespace {

using millrace::cublas::Handle;

float elementOf(const float* matrix, int turned, int leading, int row, int column) {
  const int at = turned != 0 ? row * leading + column : column * leading + row;
  return matrix[static_cast<std::size_t>(at)];
}

}  // namespace

extern "C" {

int millraceOnHostMemory() { return 1; }

int cublasGetProperty(int which, int* value) {
  constexpr int kVersion[] = {13, 1, 0};
  *value = kVersion[which];
  return 0;
}
int cublasCreate_v2(Handle* handle) {
  *handle = new millrace::cublas::OpaqueBlas;
  return 0;
}
int cublasDestroy_v2(Handle handle) {
  delete handle;
  return 0;
}
int cublasSetStream_v2(Handle, void*) { return 0; }
int cublasSgemm_v2(Handle, int aTurned, int bTurned, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc) {
  constexpr int kInvalidValue = 7;
  if (*alpha != 1 || *beta != 0 || ldc < m || lda < (aTurned != 0 ? k : m) ||
      ldb < (bTurned != 0 ? n : k))
    return kInvalidValue;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += elementOf(a, aTurned, lda, row, i) * elementOf(b, bTurned, ldb, i, column);
      c[static_cast<std::size_t>(column * ldc + row)] = sum;
    }
  return 0;
}

}  // extern "C"
