// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The cuDNN functions that the engine calls. They are declared here instead of including cudnn.h,
// so that every build has them. Names, values and layouts are those of cuDNN 9's cudnn_graph.h,
// cudnn_ops.h and cudnn_cnn.h ("cuDNN Backend API": Legacy API, convolutions). The library is
// opened at run time (cudnn_library.h).

namespace millrace::cudnn {

using Code = int;                               ///< cudnnStatus_t
using Handle = struct OpaqueDnn*;               ///< cudnnHandle_t
using Tensor = struct OpaqueTensor*;            ///< cudnnTensorDescriptor_t
using Filter = struct OpaqueFilter*;            ///< cudnnFilterDescriptor_t
using Convolution = struct OpaqueConvolution*;  ///< cudnnConvolutionDescriptor_t
using CudaStream = void*;                       ///< cudaStream_t

inline constexpr Code kSuccess = 0;
inline constexpr int kChannelsLast = 1;  ///< CUDNN_TENSOR_NHWC
inline constexpr int kFloat = 0;
inline constexpr int kHalf = 2;
inline constexpr int kBfloat16 = 9;
inline constexpr int kCrossCorrelation = 1;
inline constexpr int kDefaultMath = 0;
inline constexpr int kTensorOpMath = 1;

/// cudnnConvolutionFwdAlgoPerf_t. The structures of the two backward passes only differ in the type
/// of the first member.
struct Algorithm {
  int algorithm;
  Code status;
  float time;
  std::size_t memory;
  int determinism;
  int math;
  int reserved[3];
};

struct Functions {
  std::size_t (*getVersion)() = nullptr;
  const char* (*getErrorString)(Code) = nullptr;
  Code (*create)(Handle*) = nullptr;
  Code (*destroy)(Handle) = nullptr;
  Code (*setStream)(Handle, CudaStream) = nullptr;
  Code (*createTensor)(Tensor*) = nullptr;
  Code (*destroyTensor)(Tensor) = nullptr;
  Code (*setTensor)(Tensor, int format, int type, int n, int c, int h, int w) = nullptr;
  Code (*createFilter)(Filter*) = nullptr;
  Code (*destroyFilter)(Filter) = nullptr;
  Code (*setFilter)(Filter, int type, int format, int k, int c, int h, int w) = nullptr;
  Code (*createConvolution)(Convolution*) = nullptr;
  Code (*destroyConvolution)(Convolution) = nullptr;
  Code (*setConvolution)(Convolution, int padH, int padW, int strideH, int strideW, int dilationH,
                         int dilationW, int mode, int computeType) = nullptr;
  Code (*setMath)(Convolution, int math) = nullptr;
  Code (*forwardAlgorithms)(Handle, Tensor x, Filter w, Convolution, Tensor y, int asked,
                            int* given, Algorithm*) = nullptr;
  Code (*dataAlgorithms)(Handle, Filter w, Tensor dy, Convolution, Tensor dx, int asked, int* given,
                         Algorithm*) = nullptr;
  Code (*weightAlgorithms)(Handle, Tensor x, Tensor dy, Convolution, Filter dw, int asked,
                           int* given, Algorithm*) = nullptr;
  // Each of these tries all algorithms in the given memory and returns them sorted by their time.
  Code (*findForward)(Handle, Tensor, const void* x, Filter, const void* w, Convolution, Tensor,
                      void* y, int asked, int* given, Algorithm*, void* workspace,
                      std::size_t bytes) = nullptr;
  Code (*findData)(Handle, Filter, const void* w, Tensor, const void* dy, Convolution, Tensor,
                   void* dx, int asked, int* given, Algorithm*, void* workspace,
                   std::size_t bytes) = nullptr;
  Code (*findWeights)(Handle, Tensor, const void* x, Tensor, const void* dy, Convolution, Filter,
                      void* dw, int asked, int* given, Algorithm*, void* workspace,
                      std::size_t bytes) = nullptr;
  Code (*forward)(Handle, const void* alpha, Tensor, const void* x, Filter, const void* w,
                  Convolution, int algorithm, void* workspace, std::size_t bytes, const void* beta,
                  Tensor, void* y) = nullptr;
  Code (*backwardData)(Handle, const void* alpha, Filter, const void* w, Tensor, const void* dy,
                       Convolution, int algorithm, void* workspace, std::size_t bytes,
                       const void* beta, Tensor, void* dx) = nullptr;
  Code (*backwardWeights)(Handle, const void* alpha, Tensor, const void* x, Tensor, const void* dy,
                          Convolution, int algorithm, void* workspace, std::size_t bytes,
                          const void* beta, Filter, void* dw) = nullptr;
};

}  // namespace millrace::cudnn
