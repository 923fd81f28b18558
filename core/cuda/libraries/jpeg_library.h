// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/libraries/nvjpeg_abi.h"
#include "core/cuda/libraries/runtime_library.h"

namespace millrace {

/// The file names to open, newest version first: the value of MILLRACE_NVJPEG if it is set (for
/// example the file of a Python package), else nvJPEG's of CUDA 13 and 12.
std::vector<std::string> jpegLibraryFiles();

/// NVIDIA's JPEG decoder, opened at run time. Constant once opened; any thread.
class JpegLibrary {
 public:
  /// The error is a sentence without full stop: not installed, cannot be loaded, older than the
  /// declarations here, or a function is missing. On an emulated device only a test double that
  /// works on host memory is accepted, and on a real device it is rejected. It exports
  /// `millraceOnHostMemory`.
  static Result<std::shared_ptr<const JpegLibrary>> open(const std::string& file,
                                                         DeviceBackend backend);
  /// Opens the first of jpegLibraryFiles() that can be opened, once per process and file; otherwise
  /// returns the error of the first.
  static Result<std::shared_ptr<const JpegLibrary>> use(DeviceBackend backend);

  const nvjpeg::Functions& functions() const { return m_functions; }
  const std::string& version() const { return m_version; }

 private:
  JpegLibrary() = default;
  Status load(RuntimeLibrary& opened);

  nvjpeg::Functions m_functions;
  std::string m_version;
};

/// The meaning of an error code, for example "the data is damaged".
std::string jpegErrorText(nvjpeg::Code code);

}  // namespace millrace
