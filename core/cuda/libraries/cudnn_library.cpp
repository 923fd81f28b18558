// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/cudnn_library.h"

#include <fmt/format.h>

namespace millrace {

std::vector<std::string> cudnnLibraryFiles() {
  return libraryFiles("MILLRACE_CUDNN", {"libcudnn.so.9"});
}

Status CudnnLibrary::result(cudnn::Code code, const char* call) const {
  if (code == cudnn::kSuccess) return {};
  return Error{fmt::format("{}: {}", call, m_functions.getErrorString(code))};
}

Status CudnnLibrary::load(RuntimeLibrary& opened) {
  cudnn::Functions& f = m_functions;
  opened.find(f.getVersion, "cudnnGetVersion");
  opened.find(f.getErrorString, "cudnnGetErrorString");
  opened.find(f.create, "cudnnCreate");
  opened.find(f.destroy, "cudnnDestroy");
  opened.find(f.setStream, "cudnnSetStream");
  opened.find(f.createTensor, "cudnnCreateTensorDescriptor");
  opened.find(f.destroyTensor, "cudnnDestroyTensorDescriptor");
  opened.find(f.setTensor, "cudnnSetTensor4dDescriptor");
  opened.find(f.createFilter, "cudnnCreateFilterDescriptor");
  opened.find(f.destroyFilter, "cudnnDestroyFilterDescriptor");
  opened.find(f.setFilter, "cudnnSetFilter4dDescriptor");
  opened.find(f.createConvolution, "cudnnCreateConvolutionDescriptor");
  opened.find(f.destroyConvolution, "cudnnDestroyConvolutionDescriptor");
  opened.find(f.setConvolution, "cudnnSetConvolution2dDescriptor");
  opened.find(f.setMath, "cudnnSetConvolutionMathType");
  opened.find(f.forwardAlgorithms, "cudnnGetConvolutionForwardAlgorithm_v7");
  opened.find(f.dataAlgorithms, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
  opened.find(f.weightAlgorithms, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
  opened.find(f.findForward, "cudnnFindConvolutionForwardAlgorithmEx");
  opened.find(f.findData, "cudnnFindConvolutionBackwardDataAlgorithmEx");
  opened.find(f.findWeights, "cudnnFindConvolutionBackwardFilterAlgorithmEx");
  opened.find(f.forward, "cudnnConvolutionForward");
  opened.find(f.backwardData, "cudnnConvolutionBackwardData");
  opened.find(f.backwardWeights, "cudnnConvolutionBackwardFilter");
  if (!opened.missing().empty())
    return Error{fmt::format("{} has no function {}", opened.file(), opened.missing())};
  // 90501 is 9.5.1, since version 9; 8907 was 8.9.7.
  const std::size_t version = f.getVersion();
  constexpr std::size_t kOldest = 90000;
  if (version < kOldest) return Error{fmt::format("{} is older than cuDNN 9", opened.file())};
  m_version = fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  return {};
}

Result<std::shared_ptr<const CudnnLibrary>> CudnnLibrary::open(const std::string& file,
                                                               DeviceBackend backend) {
  MILLRACE_ASSIGN_OR_RETURN(auto opened, RuntimeLibrary::open(file));
  std::shared_ptr<CudnnLibrary> library(new CudnnLibrary);
  MILLRACE_TRY(library->load(opened));
  MILLRACE_TRY(opened.suits(backend));
  return std::shared_ptr<const CudnnLibrary>(std::move(library));
}

Result<std::shared_ptr<const CudnnLibrary>> CudnnLibrary::use(DeviceBackend backend) {
  return firstOf(cudnnLibraryFiles(),
                 [backend](const std::string& file) { return open(file, backend); });
}

}  // namespace millrace
