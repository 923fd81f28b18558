// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/libraries/runtime_library.h"

namespace millrace {

// The cuBLAS functions that the engine calls, declared as in cublas_api.h of CUDA 12 and 13
// ("cuBLAS Library", level 3). cuBLAS matrices are column-major.
namespace cublas {

using Code = int;                   ///< cublasStatus_t
using Handle = struct OpaqueBlas*;  ///< cublasHandle_t
using CudaStream = void*;           ///< cudaStream_t

inline constexpr Code kSuccess = 0;
inline constexpr int kNotTransposed = 0;  ///< CUBLAS_OP_N
inline constexpr int kTransposed = 1;     ///< CUBLAS_OP_T

struct Functions {
  Code (*getProperty)(int, int*) = nullptr;
  Code (*create)(Handle*) = nullptr;
  Code (*destroy)(Handle) = nullptr;
  Code (*setStream)(Handle, CudaStream) = nullptr;
  Code (*multiply)(Handle, int aTurned, int bTurned, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc) = nullptr;
};

}  // namespace cublas

/// The file names to open: the value of MILLRACE_CUBLAS, or else those of CUDA 13 and 12 that the
/// driver supports.
std::vector<std::string> cublasLibraryFiles();

/// NVIDIA's library of matrix products, opened at run time. Constant once opened; any thread.
class CublasLibrary {
 public:
  /// See CudnnLibrary::open.
  static Result<std::shared_ptr<const CublasLibrary>> open(const std::string& file,
                                                           DeviceBackend backend);
  static Result<std::shared_ptr<const CublasLibrary>> use(DeviceBackend backend);

  const cublas::Functions& functions() const { return m_functions; }
  const std::string& version() const { return m_version; }

 private:
  CublasLibrary() = default;
  Status load(RuntimeLibrary& opened);

  cublas::Functions m_functions;
  std::string m_version;
};

}  // namespace millrace
