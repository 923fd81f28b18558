// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/cudnn_abi.h"
#include "core/cuda/device.h"
#include "core/cuda/runtime_library.h"

namespace millrace {

/// The files that the dynamic linker is asked for: what MILLRACE_CUDNN names, else cuDNN 9's.
std::vector<std::string> cudnnLibraryFiles();

/// NVIDIA's library of convolutions, opened at run time. Constant after it is opened; any thread.
class CudnnLibrary {
 public:
  /// The error is a sentence without full stop. On an emulated device only a stand-in for tests
  /// that works on host memory is taken, and on a real one never: it exports
  /// `millraceOnHostMemory`.
  static Result<std::shared_ptr<const CudnnLibrary>> open(const std::string& file,
                                                          DeviceBackend backend);
  /// `open` of the first of cudnnLibraryFiles() that can be. The error is that of the first.
  static Result<std::shared_ptr<const CudnnLibrary>> use(DeviceBackend backend);

  const cudnn::Functions& functions() const { return m_functions; }
  const std::string& version() const { return m_version; }
  /// "cudnnCreate: CUDNN_STATUS_NOT_INITIALIZED", where a call was no success.
  Status result(cudnn::Code code, const char* call) const;

 private:
  CudnnLibrary() = default;
  Status load(RuntimeLibrary& opened);

  cudnn::Functions m_functions;
  std::string m_version;
};

}  // namespace millrace
