// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Compares the declarations of NVIDIA's libraries with their headers, if these are installed.
#include <cstddef>

#include "core/cuda/libraries/cublas_library.h"
#include "core/cuda/libraries/cudnn_abi.h"
#include "core/cuda/libraries/nccl_library.h"
#include "tests/support/same_call.h"
#include "tests/support/test_case.h"

#if __has_include(<cudnn.h>)
#include <cudnn.h>
#define MILLRACE_HAS_CUDNN_H
#endif
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define MILLRACE_HAS_CUBLAS_H
#endif
#if __has_include(<nccl.h>)
#include <nccl.h>
#define MILLRACE_HAS_NCCL_H
#endif

namespace millrace {

using tests::sameCall;

class TestLibraryDeclarations : public QObject {
  Q_OBJECT

 private slots:
  void cudnn() {
#if defined(MILLRACE_HAS_CUDNN_H)
    static_assert(cudnn::kSuccess == CUDNN_STATUS_SUCCESS &&
                  cudnn::kChannelsLast == CUDNN_TENSOR_NHWC);
    static_assert(cudnn::kFloat == CUDNN_DATA_FLOAT && cudnn::kHalf == CUDNN_DATA_HALF &&
                  cudnn::kBfloat16 == CUDNN_DATA_BFLOAT16);
    static_assert(cudnn::kCrossCorrelation == CUDNN_CROSS_CORRELATION &&
                  cudnn::kDefaultMath == CUDNN_DEFAULT_MATH &&
                  cudnn::kTensorOpMath == CUDNN_TENSOR_OP_MATH);
    using Theirs = cudnnConvolutionFwdAlgoPerf_t;
    static_assert(sizeof(cudnn::Algorithm) == sizeof(Theirs) &&
                  sizeof(cudnn::Algorithm) == sizeof(cudnnConvolutionBwdDataAlgoPerf_t) &&
                  sizeof(cudnn::Algorithm) == sizeof(cudnnConvolutionBwdFilterAlgoPerf_t) &&
                  offsetof(cudnn::Algorithm, memory) == offsetof(Theirs, memory) &&
                  offsetof(cudnn::Algorithm, math) == offsetof(Theirs, mathType));
    static_assert(sameCall(cudnn::Functions{}.setTensor, &cudnnSetTensor4dDescriptor));
    static_assert(sameCall(cudnn::Functions{}.setFilter, &cudnnSetFilter4dDescriptor));
    static_assert(sameCall(cudnn::Functions{}.setConvolution, &cudnnSetConvolution2dDescriptor));
    static_assert(sameCall(cudnn::Functions{}.setMath, &cudnnSetConvolutionMathType));
    static_assert(
        sameCall(cudnn::Functions{}.forwardAlgorithms, &cudnnGetConvolutionForwardAlgorithm_v7));
    static_assert(
        sameCall(cudnn::Functions{}.dataAlgorithms, &cudnnGetConvolutionBackwardDataAlgorithm_v7));
    static_assert(sameCall(cudnn::Functions{}.weightAlgorithms,
                           &cudnnGetConvolutionBackwardFilterAlgorithm_v7));
    static_assert(
        sameCall(cudnn::Functions{}.findForward, &cudnnFindConvolutionForwardAlgorithmEx));
    static_assert(
        sameCall(cudnn::Functions{}.findData, &cudnnFindConvolutionBackwardDataAlgorithmEx));
    static_assert(
        sameCall(cudnn::Functions{}.findWeights, &cudnnFindConvolutionBackwardFilterAlgorithmEx));
    static_assert(sameCall(cudnn::Functions{}.forward, &cudnnConvolutionForward));
    static_assert(sameCall(cudnn::Functions{}.backwardData, &cudnnConvolutionBackwardData));
    static_assert(sameCall(cudnn::Functions{}.backwardWeights, &cudnnConvolutionBackwardFilter));
    static_assert(sameCall(cudnn::Functions{}.getVersion, &cudnnGetVersion) &&
                  sameCall(cudnn::Functions{}.setStream, &cudnnSetStream));
    QVERIFY(sizeof(cudnn::Handle) == sizeof(cudnnHandle_t));
#else
    QSKIP("cudnn.h is not installed; scripts/nvidia-headers downloads it");
#endif
  }

  void cublas() {
#if defined(MILLRACE_HAS_CUBLAS_H)
    static_assert(cublas::kSuccess == CUBLAS_STATUS_SUCCESS &&
                  cublas::kNotTransposed == CUBLAS_OP_N && cublas::kTransposed == CUBLAS_OP_T);
    static_assert(sameCall(cublas::Functions{}.multiply, &cublasSgemm_v2));
    static_assert(sameCall(cublas::Functions{}.getProperty, &cublasGetProperty));
    QVERIFY(sizeof(cublas::Handle) == sizeof(cublasHandle_t));
#else
    QSKIP("cublas_v2.h is not installed; scripts/nvidia-headers downloads it");
#endif
  }

  void nccl() {
#if defined(MILLRACE_HAS_NCCL_H)
    static_assert(nccl::kSuccess == ncclSuccess && nccl::kFloat32 == ncclFloat32 &&
                  nccl::kAverage == ncclAvg && sizeof(nccl::Id) == sizeof(ncclUniqueId));
    static_assert(sameCall(nccl::Functions{}.initRank, &ncclCommInitRank));
    static_assert(sameCall(nccl::Functions{}.allReduce, &ncclAllReduce));
    static_assert(sameCall(nccl::Functions{}.abort, &ncclCommAbort));
    QVERIFY(sizeof(nccl::Group) == sizeof(ncclComm_t));
#else
    QSKIP("nccl.h is not installed; scripts/nvidia-headers downloads it");
#endif
  }
};

MILLRACE_TEST_CASE(TestLibraryDeclarations)

}  // namespace millrace

#include "tst_library_declarations.moc"
