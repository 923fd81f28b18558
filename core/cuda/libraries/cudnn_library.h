// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/libraries/cudnn_abi.h"
#include "core/cuda/libraries/runtime_library.h"

namespace millrace {

/// The file names to open: the value of MILLRACE_CUDNN, or else cuDNN 9's.
std::vector<std::string> cudnnLibraryFiles();

/// NVIDIA's library of convolutions, opened at run time. Constant once opened; any thread.
class CudnnLibrary {
 public:
  /// The error is a sentence without full stop. On an emulated device only a test double that works
  /// on host memory is accepted, and on a real device it is rejected. It exports
  /// `millraceOnHostMemory`.
  static Result<std::shared_ptr<const CudnnLibrary>> open(const std::string& file,
                                                          DeviceBackend backend);
  /// Opens the first of cudnnLibraryFiles() that can be opened; otherwise returns the error of the
  /// first.
  static Result<std::shared_ptr<const CudnnLibrary>> use(DeviceBackend backend);

  const cudnn::Functions& functions() const { return m_functions; }
  const std::string& version() const { return m_version; }
  /// The error of a failed call: "cudnnCreate: CUDNN_STATUS_NOT_INITIALIZED".
  Status result(cudnn::Code code, const char* call) const;

 private:
  CudnnLibrary() = default;
  Status load(RuntimeLibrary& opened);

  cudnn::Functions m_functions;
  std::string m_version;
};

}  // namespace millrace
